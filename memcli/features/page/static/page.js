// Keys and focus. Everything works without this file, by links and forms alone.
"use strict";
(() => {
  const ON = "mem-keys-on";
  const main = () => document.getElementById("main");
  const dialog = document.getElementById("keys");
  const allowed = () => localStorage.getItem(ON) !== "no";
  const typing = (at) => at.matches("input:not([type=checkbox]), textarea, select") || at.isContentEditable;
  let before = "";

  const press = (key) => {
    const within = document.activeElement && document.activeElement.closest("[data-item]");
    const wanted = `[data-key="${CSS.escape(key)}"]`;
    const several = main().querySelectorAll(wanted);
    if (several.length > 1 && !(within && within.querySelector(wanted))) return step(1);  // which one has to be chosen first
    const found = (within && within.querySelector(wanted)) || several[0] || document.querySelector(`#foot ${wanted}`);
    if (found) found.click();
    return Boolean(found) || (key === "e" && edit(within));
  };

  // A memory in a list is edited where all is known of it.
  const edit = (item) => {
    const memory = item && item.querySelector('a.words[href*="/memory?"]');
    if (!memory) return false;
    location.assign(`${memory.pathname}${memory.search}&edit=1`);
    return true;
  };

  const step = (by) => {
    const items = [...main().querySelectorAll("[data-item]")].filter((item) => item.querySelector("a"));
    if (!items.length) return false;
    const at = items.indexOf(document.activeElement.closest("[data-item]"));
    const next = items[Math.min(items.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : items.length - 1) : at + by))];
    (next.querySelector("a.words, a.first") || next.querySelector("a")).focus();
    next.scrollIntoView({ block: "nearest" });
    return true;
  };

  const go = (letter) => {
    const link = document.querySelector(`[data-go="${CSS.escape(letter)}"]`);
    if (link) link.click();
    return Boolean(link);
  };

  const show = () => { if (dialog && !dialog.open) dialog.showModal(); };

  const act = (key) => {
    if (before === "g" && go(key)) return true;
    if (key === "?") { show(); return true; }
    if (key === "/") {
      const first = main().querySelector("[data-first]");
      if (first) first.focus();
      return Boolean(first);
    }
    if (key === "j" || key === "k") {
      if (key === "k" && main().querySelector('.answers [data-key="k"]')) return press("k");
      return step(key === "j" ? 1 : -1);
    }
    return press(key);
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (typing(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (!allowed() || (dialog && dialog.open) || event.key.length !== 1) return;
    if (act(event.key)) event.preventDefault();
    before = event.key;
  });

  const keysOn = document.getElementById("keys-on");
  if (keysOn) {
    keysOn.checked = allowed();
    keysOn.addEventListener("change", () => localStorage.setItem(ON, keysOn.checked ? "yes" : "no"));
  }
  document.addEventListener("click", (event) => { if (event.target.closest("#show-keys")) show(); });

  // What was exchanged is where a reader goes on: its first field to mend, else its heading.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (!main()) return;
    const line = location.hash && document.getElementById(location.hash.slice(1));
    if (line && line.querySelector("a")) {
      line.scrollIntoView({ block: "center" });
      (line.querySelector("a.words") || line.querySelector("a")).focus({ preventScroll: true });
      return;
    }
    const next = main().querySelector("[data-focus]") || main().querySelector("h1");
    if (next && event.detail.target && event.detail.target.id !== "told") next.focus({ preventScroll: true });
  });
  document.addEventListener("DOMContentLoaded", () => {
    const next = main() && main().querySelector("[data-focus]");
    if (next) next.focus();
  });
})();
