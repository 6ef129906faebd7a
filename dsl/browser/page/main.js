// Starts the page: unpacks the module that it carries, and puts the screen there.

import { Screen } from "./screen.js";

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function start() {
  const root = document.getElementById("root");
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const own = (key) => (facts.phrases[facts.language] ?? facts.phrases.en)[key];
  let module;
  try {
    module = await WebAssembly.compile(await unpacked(document.getElementById("code").textContent.trim()));
  } catch (error) {
    root.textContent = `${own("too old")} ${error.message}`;
    return;
  }
  new Screen(root, module, facts);
}

start();
