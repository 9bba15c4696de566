// SPDX-License-Identifier: Apache-2.0

// Live rows, filters that answer at once, job bars, and calendars whose days the arrow keys reach. Everything else works without scripts.
"use strict";

const content = document.getElementById("content");

// Answers may come in another order than they were requested. Only the latest request counts.
let latest = 0;

// Loads the page again, replaces the changed parts, and highlights them for a moment.
async function refresh() {
  const request = ++latest;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, credentials: "same-origin" });
  if (!answer.ok || answer.redirected) return;
  const text = await answer.text();
  if (request !== latest) return;
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("live");
  const shown = document.getElementById("live");
  if (!fresh || !shown) return;
  const before = new Map([...shown.querySelectorAll("[data-key]")].map((row) => [row.dataset.key, row.textContent]));
  const focused = shown.contains(document.activeElement) ? place(document.activeElement) : null;
  const scrolled = [...shown.querySelectorAll(".scroll")].map((box) => box.scrollLeft);
  const open = [...shown.querySelectorAll("details")].map((box) => box.open);
  shown.replaceWith(fresh);
  fresh.querySelectorAll(".scroll").forEach((box, index) => { box.scrollLeft = scrolled[index] ?? 0; });
  fresh.querySelectorAll("details").forEach((box, index) => { box.open = open[index] ?? false; });
  fresh.querySelectorAll("button[data-copy]").forEach(copies);
  fresh.querySelectorAll(".calendar").forEach(walk);
  if (focused) find(fresh, focused)?.focus({ preventScroll: true });
  for (const row of fresh.querySelectorAll("[data-key]")) {
    if (before.has(row.dataset.key) && before.get(row.dataset.key) !== row.textContent) row.classList.add("changed");
  }
}

const place = (element) => ({ id: element.id, href: element.getAttribute("href"), tag: element.tagName });
const find = (root, { id, href, tag }) =>
  [...root.querySelectorAll(tag)].find((one) => (id ? one.id === id : href && one.getAttribute("href") === href));

function watch(source) {
  const stream = new EventSource(source);
  let timer = null;
  let isFirst = source.includes("/learners/");
  const look = () => {
    // The first state of a learner's stream is the state that the page already shows.
    if (isFirst) { isFirst = false; return; }
    // Many changes in a row cause one reload.
    timer ??= setTimeout(async () => {
      timer = null;
      try { await refresh(); } catch { /* The service is away for a moment; the stream reconnects when it is back. */ }
    }, 300);
  };
  stream.addEventListener("changes", look);
  stream.addEventListener("progress", look);
  addEventListener("pagehide", () => stream.close());
}

// Applies what is typed and chosen in a form of filters, and keeps it in the address.
function filter(form) {
  form.querySelector("button").remove();
  let timer = null;
  const apply = async () => {
    const chosen = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    history.replaceState(null, "", form.action + (chosen.size ? "?" + chosen : ""));
    try { await refresh(); } catch { /* The service is away for a moment; the next change asks again. */ }
  };
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(apply, 200);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    apply();
  });
}

// Offers the learners who fit what is typed.
function suggest(field) {
  let timer = null;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const typed = field.value;
      if (!typed) return;
      try {
        const answer = await fetch(`${field.dataset.suggest}?search=${encodeURIComponent(typed)}`, { credentials: "same-origin" });
        if (!answer.ok || typed !== field.value) return;
        const { learners } = await answer.json();
        field.list.replaceChildren(...learners.map((one) => new Option(one.displayName ?? one.learner, one.learner)));
      } catch { /* The service is away for a moment; the id can be typed. */ }
    }, 200);
  });
}

// Copies the text before a button. A browser without a clipboard has no button.
function copies(button) {
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.previousElementSibling.textContent);
    button.textContent = "Copied";
  });
}

// A calendar is one stop of the Tab key, on its latest day. The arrow keys go from day to day, as far as weeks are shown.
function walk(calendar) {
  const weeks = [...calendar.querySelectorAll(".week")];
  const top = Math.min(...weeks.map((week) => week.offsetTop));
  const days = weeks.filter((week) => week.offsetTop === top).reverse().flatMap((week) => [...week.querySelectorAll(".tips > [aria-label]")]);
  if (!days.length) return;
  let at = days.length - 1;
  const stop = (day, isStop) => {
    day.tabIndex = isStop ? 0 : -1;
    day.ariaHidden = isStop ? null : "true";
    day.role = "img";
  };
  calendar.querySelectorAll(".tips").forEach((layer) => layer.removeAttribute("aria-hidden"));
  days.forEach((day, index) => stop(day, index === at));
  calendar.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -7, ArrowRight: 7, Home: -at, End: days.length - 1 - at }[event.key];
    if (!days[at + step]) return;
    event.preventDefault();
    stop(days[at], false);
    at += step;
    stop(days[at], true);
    days[at].focus();
  });
}

async function follow(bar) {
  for (;;) {
    await new Promise((done) => setTimeout(done, 400));
    let job;
    try {
      const answer = await fetch(bar.dataset.job, { credentials: "same-origin" });
      if (!answer.ok) return;
      job = await answer.json();
    } catch { continue; }
    bar.value = Math.floor(job.share * 100);
    if (job.state === "done" || job.state === "failed") return location.reload();
  }
}

// On a phone the navigation is one row, which scrolls.
const here = document.querySelector(".top [aria-current]");
const row = here?.closest("ul");
if (row) row.scrollLeft = here.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;

document.querySelectorAll("button[data-copy]").forEach(copies);
document.querySelectorAll("input[data-suggest]").forEach(suggest);
document.querySelectorAll(".calendar").forEach(walk);
document.querySelectorAll(".live-filters").forEach(filter);
if (content?.dataset.live) watch(content.dataset.live);
document.querySelectorAll("progress[data-job]").forEach(follow);
