// Starts the page: unpacks the module that it carries, and puts the screen there.

import { kept, watch } from "./reload.js";
import { Screen } from "./screen.js";
import { Thoughts } from "./thoughts.js";

async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function start() {
  const root = document.getElementById("root");
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const own = (key) => (facts.phrases[facts.language] ?? facts.phrases.en)[key];
  let code;
  let module;
  try {
    code = await unpacked(document.getElementById("code").textContent.trim());
    module = await WebAssembly.compile(code);
  } catch (error) {
    root.textContent = `${own("too old")} ${error.message}`;
    return;
  }
  const screen = new Screen(root, module, facts, new Thoughts(code, facts));
  const before = kept();
  if (before) screen.again(before);
  watch(() => screen.kept());
}

start();
