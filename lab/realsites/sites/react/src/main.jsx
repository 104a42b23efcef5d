import React, {Suspense, lazy} from "react";
import {createRoot} from "react-dom/client";
import {BrowserRouter, Link, Route, Routes, useNavigate} from "react-router-dom";

const Boats = lazy(() => import("./boats.jsx"));
const Boat = lazy(() => import("./boat.jsx"));
const About = lazy(() => import("./about.jsx"));
const Notice = lazy(() => import("./notice.jsx"));

function Home() {
  const go = useNavigate();
  return <main>
    <h1>The boatyard</h1>
    <p>Wooden boats since 1901.</p>
    <button onClick={() => go("/prices")}>Prices</button>
    <button onClick={() => go("/hours")}>Opening hours</button>
  </main>;
}

createRoot(document.getElementById("root")).render(
  <BrowserRouter>
    <nav><Link to="/">Home</Link> <Link to="/boats">Boats</Link> <Link to="/about">About</Link></nav>
    <Suspense fallback={<p>...</p>}>
      <Routes>
        <Route path="/" element={<Home/>}/>
        <Route path="/boats" element={<Boats/>}/>
        <Route path="/boats/:id" element={<Boat/>}/>
        <Route path="/about" element={<About/>}/>
        <Route path="/prices" element={<Notice name="prices"/>}/>
        <Route path="/hours" element={<Notice name="hours"/>}/>
        <Route path="*" element={<p>No such page.</p>}/>
      </Routes>
    </Suspense>
  </BrowserRouter>);
