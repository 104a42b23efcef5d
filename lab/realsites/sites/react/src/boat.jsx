import React from "react";
import {useParams} from "react-router-dom";
import {useJSON} from "./json.js";

export default function Boat() {
  const boat = useJSON(`/data/boat${useParams().id}.json`);
  return <main>{boat && <><h1>{boat.name}</h1><p>{boat.text}</p></>}</main>;
}
