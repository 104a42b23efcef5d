import React from "react";
import {useJSON} from "./json.js";

export default function Notice({name}) {
  const notice = useJSON(`/data/${name}.json`);
  return <main><h1>{name}</h1>{notice && <p>{notice.text}</p>}</main>;
}
