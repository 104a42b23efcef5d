import {useEffect, useState} from "react";

// useJSON is what the server says at an address, null before it does.
export function useJSON(address) {
  const [value, set] = useState(null);
  useEffect(() => { fetch(address).then((answer) => answer.json()).then(set); }, [address]);
  return value;
}
