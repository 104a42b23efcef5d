import React from "react";

export default function About() {
  return <main><h1>About</h1><p>The yard belongs to those who work in it.</p></main>;
}
