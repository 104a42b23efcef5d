import React from "react";
import {Link} from "react-router-dom";
import {useJSON} from "./json.js";

export default function Boats() {
  const list = useJSON("/data/boats.json");
  return <main><h1>Boats</h1><ul>{(list || []).map((b) => <li key={b.id}><Link to={`/boats/${b.id}`}>{b.name}</Link></li>)}</ul></main>;
}
