// Elements of a page.

/** An element with properties and children; a text is text. */
export function el(tag, properties = {}, ...children) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) found.addEventListener(name.slice(2), value);
    else if (name in found && typeof value !== "string") found[name] = value;
    else found.setAttribute(name, value);
  }
  found.append(...children);
  return found;
}
