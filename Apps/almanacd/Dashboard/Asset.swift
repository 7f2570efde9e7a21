import Hummingbird

/// The dashboard's files; they are part of the program.
enum Asset {
  static let style = """
    :root { color-scheme: light dark; --ground: #f4f5f7; --card: #fff; --ink: #1c2330; --soft: #5b6474; --line: #dfe3ea;
      --brand: #0b57a4; --good: #17703c; --warn: #8a5300; --bad: #b3261e; --goodbg: #e3f4e8; --warnbg: #fdf0d8;
      --badbg: #fce8e6; --softbg: #eceff4; }
    @media (prefers-color-scheme: dark) { :root { --ground: #10141b; --card: #1a202a; --ink: #e7ebf2; --soft: #a3adbd;
      --line: #2e3746; --brand: #8ab8f5; --good: #7fd6a0; --warn: #f0c069; --bad: #ff9c92; --goodbg: #16301f;
      --warnbg: #362a10; --badbg: #3b1a17; --softbg: #252d3a; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto,
      "Helvetica Neue", Arial, sans-serif; overflow-wrap: break-word; }
    a { color: var(--brand); } a:hover { text-decoration-thickness: 2px; }
    :focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; border-radius: 4px; }
    main:focus { outline: none; }
    .skip { position: absolute; left: -999px; } .skip:focus { left: 12px; top: 12px; background: var(--card);
      padding: 8px 12px; z-index: 2; }
    .top { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 24px; padding: 12px 24px;
      background: var(--card); border-bottom: 1px solid var(--line); }
    .brand { display: flex; align-items: center; gap: 10px; font-size: 18px; font-weight: 650; color: var(--ink);
      text-decoration: none; }
    nav { display: flex; flex-wrap: wrap; gap: 2px 4px; }
    nav a { text-decoration: none; color: var(--soft); padding: 6px 10px; border-radius: 6px; }
    nav a:hover { background: var(--softbg); color: var(--ink); }
    .line { margin: 0 0 0 auto; color: var(--soft); font-size: 13px; min-height: 20px; }
    main { max-width: 1240px; margin: 0 auto; padding: 20px 24px 32px; display: grid; gap: 20px;
      grid-template-columns: repeat(2, minmax(0, 1fr)); align-items: start; }
    main > * { grid-column: 1 / -1; } main > .half { grid-column: auto; }
    h1 { font-size: 22px; margin: 0 0 8px; } h2 { font-size: 17px; margin: 0; } h3 { font-size: 15px; margin: 0 0 8px; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px 18px 18px;
      scroll-margin-top: 12px; min-width: 0; }
    .alarm { border-color: var(--bad); border-width: 2px; } #problems:empty { display: none; }
    .alarm h2 { color: var(--bad); margin-bottom: 6px; } p.error { margin: 0; font-size: 14px; }
    .narrow { max-width: 560px; margin: 48px auto; }
    .note { position: sticky; top: 8px; z-index: 1; margin: 0; padding: 9px 16px; border: 1px solid var(--good);
      border-radius: 10px; background: var(--goodbg); color: var(--good); font-weight: 550; overflow-wrap: anywhere; }
    .note ~ .card { scroll-margin-top: 64px; }
    .head { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; justify-content: space-between;
      margin-bottom: 12px; } .head > * { min-width: 0; }
    .tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; list-style: none; margin: 0; padding: 0; }
    .tiles li { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 12px 16px; }
    .tiles strong { display: block; font-size: 24px; line-height: 1.25; font-variant-numeric: tabular-nums; }
    .tiles span, .soft { color: var(--soft); } .small { font-size: 13px; }
    table { width: 100%; border-collapse: collapse; }
    th { text-align: left; font-weight: 550; font-size: 13px; color: var(--soft); }
    th, td { padding: 7px 12px 7px 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
    tr:last-child td, tr:last-child th { border-bottom: 0; }
    td:last-child { padding-right: 0; } td.end { text-align: right; }
    tbody th { color: var(--ink); font-size: inherit; overflow-wrap: anywhere; }
    .error { display: block; color: var(--bad); font-size: 13px; font-weight: 400; overflow-wrap: anywhere; }
    .badge { display: inline-block; padding: 1px 9px; border-radius: 99px; font-size: 13px; font-weight: 550;
      white-space: nowrap; background: var(--softbg); color: var(--soft); }
    .good { background: var(--goodbg); color: var(--good); } .warn { background: var(--warnbg); color: var(--warn); }
    .bad { background: var(--badbg); color: var(--bad); }
    button { font: inherit; font-size: 14px; padding: 5px 12px; min-height: 34px; border: 1px solid var(--line);
      border-radius: 8px; background: var(--card); color: var(--ink); cursor: pointer; max-width: 100%;
      overflow-wrap: anywhere; }
    button:hover { background: var(--softbg); } form { display: inline; }
    .away .line { color: var(--bad); font-weight: 600; } .plain { list-style: none; margin: 0; padding: 0; }
    .plain li { padding: 2px 0; border: 0; } .quiet { color: var(--soft); } td.end form + form { margin-left: 4px; } th.end { text-align: right; }
    .fields { display: flex; flex-wrap: wrap; gap: 10px 12px; align-items: end; }
    label { display: grid; gap: 3px; font-size: 13px; color: var(--soft); } .long { flex: 1 1 260px; }
    input { font: inherit; font-size: 15px; padding: 5px 10px; min-height: 34px; border: 1px solid var(--line);
      border-radius: 8px; background: var(--card); color: var(--ink); min-width: 0; max-width: 100%; }
    details { margin-top: 12px; } summary { cursor: pointer; width: fit-content; padding: 3px 0; }
    .asks { display: inline-block; margin: 0 0 0 4px; text-align: right; } .asks[open] { display: block; margin-top: 6px; }
    .asks summary { list-style: none; font-size: 14px; padding: 5px 12px; min-height: 34px; margin-left: auto;
      border: 1px solid var(--line); border-radius: 8px; } .asks summary:hover { background: var(--softbg); }
    .asks summary::-webkit-details-marker { display: none; } .asks p { margin: 6px 0; color: var(--soft); }
    details ul ul { margin: 4px 0 0; padding-left: 20px; } .wide { overflow-x: auto; }
    .wide td { overflow-wrap: anywhere; max-width: 340px; } .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 10px; }
    .charts { display: grid; gap: 20px 28px; grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr)); }
    .ranks { list-style: none; margin: 0; padding: 0; }
    .ranks li { display: grid; grid-template-columns: 26px 40px minmax(0, 1fr) auto; gap: 10px; align-items: center;
      padding: 6px 0; border-bottom: 1px solid var(--line); }
    .ranks li:last-child { border-bottom: 0; }
    .rank { text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; }
    .ranks img { width: 40px; height: 40px; border-radius: 9px; object-fit: cover; background: var(--softbg); }
    .cut { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .up { color: var(--good); } .down { color: var(--bad); } .up, .down, .same { font-variant-numeric: tabular-nums;
      font-size: 13px; white-space: nowrap; }
    .photos { display: grid; gap: 14px; grid-template-columns: repeat(auto-fill, minmax(165px, 1fr)); list-style: none;
      margin: 0; padding: 0; }
    .photos img.picture { width: 100%; aspect-ratio: 4 / 3; object-fit: cover; border-radius: 9px;
      background: var(--softbg); display: block; margin-bottom: 6px; }
    .large { display: block; max-width: 100%; max-height: 80vh; margin: 0 auto 14px; border-radius: 9px;
      background: var(--softbg); }
    .owner { display: flex; gap: 6px; align-items: center; font-size: 13px; color: var(--soft); min-width: 0; }
    .owner img { width: 20px; height: 20px; border-radius: 50%; background: var(--softbg); flex: none; }
    .days { list-style: none; margin: 0; padding: 0; }
    .days li { display: grid; grid-template-columns: 92px minmax(0, 1fr) auto; gap: 12px; padding: 7px 0;
      border-bottom: 1px solid var(--line); }
    .days li:last-child, .entries li:last-child { border-bottom: 0; }
    .entries { list-style: none; margin: 0; padding: 0; }
    .entries li { padding: 10px 0; border-bottom: 1px solid var(--line); }
    .entries li:first-child { padding-top: 0; }
    code { font: 13px ui-monospace, "DejaVu Sans Mono", Menlo, monospace; background: var(--softbg); padding: 1px 5px;
      border-radius: 5px; overflow-wrap: anywhere; }
    .values td, .values th { font-size: 13px; padding: 3px 12px 3px 0; overflow-wrap: anywhere; vertical-align: top; }
    .values th { overflow-wrap: normal; white-space: nowrap; } .values + .error { margin-top: 2px; }
    .side { display: flex; align-items: center; gap: 6px; color: inherit; } .side input { width: 24px; height: 24px; flex: none; margin: 0; }
    .short { max-width: 520px; } .short td:last-child { font-variant-numeric: tabular-nums; }
    .plot { width: 100%; height: auto; display: block; } .plot text { fill: var(--soft); font-size: 12px; }
    .plot .grid { stroke: var(--line); } .plot .curve { fill: none; stroke: var(--brand); stroke-width: 2.5;
      stroke-linejoin: round; } .plot circle { fill: var(--brand); stroke: var(--card); stroke-width: 2; }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    .foot { color: var(--soft); font-size: 13px; text-align: center; padding: 0 24px 28px; }
    @media (max-width: 900px) { main > .half { grid-column: 1 / -1; } }
    @media (max-width: 640px) {
      .top { padding: 10px 14px; } main { padding: 14px 14px 24px; gap: 14px; } 
      nav { order: 3; width: 100%; margin: 0 -10px; flex-wrap: nowrap; overflow-x: auto; } .tiles { grid-template-columns: 1fr 1fr; gap: 10px; }
      .tiles strong { font-size: 21px; } .card { padding: 14px; border-radius: 10px; }
      .photos { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 12px; }
      .charts { grid-template-columns: minmax(0, 1fr); }
      .stack thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
      .stack, .stack tbody, .stack tr, .stack td, .stack th { display: block; width: 100%; }
      .stack tr { padding: 10px 0; border-bottom: 1px solid var(--line); }
      .stack tr:first-child { padding-top: 0; } .stack tr:last-child { border-bottom: 0; padding-bottom: 0; }
      .stack td, .stack th { border: 0; padding: 2px 0; }
      .stack td[data-name]::before { content: attr(data-name) ": "; color: var(--soft); font-size: 13px; }
      .stack td:empty { display: none; }
      .follows tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 10px; align-items: center; }
      .follows th, .follows .state { grid-row: 1; } .follows .state { text-align: right; }
      .follows td[data-name] { grid-column: 1; } .follows td.end { grid-column: 2; grid-row: 2 / span 2; }
      .follows td.end form { display: block; margin: 0 0 6px; } .asks p { max-width: 9.5em; margin-left: auto; }
      .days li { grid-template-columns: 54px minmax(0, 1fr) auto; gap: 10px; }
      .plot text { font-size: 24px; }
    }
    @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }

    """

  /// Updates the sections of the page when the daemon says that something happened.
  static let script = """
    "use strict";
    const line = document.getElementById("line");
    // A form that was refused is answered with its page, whose own address is another one.
    const address = document.currentScript.dataset.page;
    // What a form led to is said once: the address is that of the page again.
    if (document.querySelector(".note")) {
      const here = new URL(location);
      here.searchParams.delete("note");
      history.replaceState(null, "", here);
    }
    let timer = 0, busy = false, last = 0, isClosed = false;
    const fields = "input:not([type=hidden]), select, textarea";
    const isChanged = (field) => field.matches("select") ? [...field.options].some((one) => one.selected !== one.defaultSelected)
      : field.value !== field.defaultValue || field.checked !== field.defaultChecked;
    const isInUse = (field) => field === document.activeElement || isChanged(field);
    // A form that was refused has the reason in it.
    const isRefused = (form) => form.querySelector("[role=alert]") !== null;
    const holdsInput = (node) => node.nodeType === 1 && ([...node.querySelectorAll(fields)].some(isInUse)
      || [...node.querySelectorAll("form")].some(isRefused));

    // What an element of a list is about: the target of its first link or form.
    function keyOf(node) {
      if (node.nodeType !== 1) return node.nodeName;
      const one = node.matches("li, tr, details") ? node.querySelector("a[href], form") : node;
      if (!one) return node.nodeName;
      const follow = one.matches("form") && one.elements.follow ? one.elements.follow.value : "";
      return [node.nodeName, one.getAttribute("href") || one.getAttribute("action"), follow].join(" ");
    }

    // Changes the page where it differs from the new one. All other elements stay, and with them the focus, the selection,
    // what was opened, and what was typed, also if its record is gone: the answer to the form says so.
    function update(old, fresh) {
      if (old.nodeType !== 1) { if (old.data !== fresh.data) old.data = fresh.data; return; }
      // What a field showed when somebody began to type stays with it: the answer compares both.
      const field = old.matches("[name^='was.']") ? old.form.elements[old.name.slice(4)] : old;
      if (field.matches(fields) && isInUse(field) || old.matches("form") && isRefused(old)) return;
      if (old.matches("time[data-ago]") && old.dateTime === fresh.dateTime) return;
      for (const { name } of [...old.attributes]) if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
      for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
      const rest = new Map();
      for (const one of old.childNodes) rest.set(keyOf(one), [...(rest.get(keyOf(one)) || []), one]);
      const pairs = [...fresh.childNodes].map((one) => [one, (rest.get(keyOf(one)) || []).shift()]);
      const gone = new Set([...rest.values()].flat());
      for (const one of gone) if (!holdsInput(one)) one.remove();
      let place = old.firstChild;
      for (const [one, same] of pairs) {
        while (gone.has(place)) place = place.nextSibling;
        if (same) update(same, one);
        if (same && same === place) place = place.nextSibling; else old.insertBefore(same || one, place);
      }
    }

    async function renew() {
      timer = 0;
      if (busy || document.hidden) { plan(); return; }
      busy = true;
      try {
        const answer = await fetch(address || location.pathname + location.search, { credentials: "same-origin" });
        isClosed = answer.status === 401;
        if (isClosed && ![...document.querySelectorAll(fields)].some(isChanged)) { location.reload(); return; }
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        const focused = document.activeElement;
        for (const part of fresh.querySelectorAll("[data-live]")) {
          const old = document.getElementById(part.id);
          if (old) update(old, part);
        }
        // An element that was moved has lost it.
        if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
        ago();
        last = Date.now();
      } catch { /* the daemon is away: the stream says when it is back */ }
      busy = false;
    }

    function plan() {
      if (!timer) timer = setTimeout(renew, Math.max(300, 2000 - (Date.now() - last)));
    }

    function say(text) { if (line.textContent !== text) line.textContent = text; }

    function ago() {
      for (const time of document.querySelectorAll("time[data-ago]")) {
        const seconds = Math.round((Date.parse(time.dateTime) - Date.now()) / 1000);
        const size = Math.abs(seconds);
        const [unit, length] = size < 90 ? ["second", 1] : size < 5400 ? ["minute", 60]
          : size < 129600 ? ["hour", 3600] : ["day", 86400];
        time.textContent = new Intl.RelativeTimeFormat("en", { numeric: "always" })
          .format(Math.round(seconds / length), unit);
        time.title = time.dateTime;
      }
    }

    // From where the page was read: a change made while it loads is in the stream.
    const events = new URL("../api/v1/events", document.currentScript.src);
    const since = document.currentScript.dataset.since;
    if (since) events.searchParams.set("lastEventID", since);
    function connect() {
      const source = new EventSource(events);
      source.addEventListener("open", () => {
        document.body.classList.remove("away");
        say("Live");
        if (last) plan();
        last = last || 1;
      });
      source.addEventListener("error", () => {
        document.body.classList.add("away");
        say("The daemon does not answer; this page is not up to date");
        // After an error status, as that of a proxy without its server, the browser does not try again.
        if (source.readyState === EventSource.CLOSED) setTimeout(reconnect, 5000);
      });
      source.addEventListener("commit", plan);
      source.addEventListener("reset", plan);
      source.addEventListener("progress", (event) => {
        const what = JSON.parse(event.data);
        if (what.kind === "followStarted") say("Syncing " + what.follow);
        if (what.kind === "pageCommitted") say(what.follow + ": " + what.done + (what.total ? " of " + what.total : ""));
        if (what.kind === "followFinished") { say(what.follow + ": " + what.report.status); plan(); }
        if (what.kind === "syncFinished") { say("Live"); plan(); }
        if (what.kind === "pictures") {
          if (what.total) say("Pictures: " + what.done + " of " + what.total);
          if (what.summary) { say(what.summary); plan(); }
          // Pictures that were missing: those that are there come from the browser's own store.
          if (what.fetched) for (const image of document.images) {
            if (image.src.includes("/media/")) image.setAttribute("src", image.getAttribute("src"));
          }
        }
        if (["edit", "health", "follows"].includes(what.kind)) plan();
      });
    }

    // Where nobody is logged in any more, no request is repeated.
    async function reconnect() {
      if (busy || document.hidden) { setTimeout(reconnect, 5000); return; }
      await renew();
      if (!isClosed) connect();
    }

    connect();
    ago();
    setInterval(ago, 10000);

    """

  static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="5" width="26" height="24" rx="5" \
    fill="#0b57a4"/><rect x="3" y="5" width="26" height="8" rx="4" fill="#083f78"/><path d="M10 2v6M22 2v6" \
    stroke="#8ab8f5" stroke-width="2.5" stroke-linecap="round"/><path d="M8 24l5-5 4 3 7-7" fill="none" stroke="#fff" \
    stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>

    """

  /// Shown in place of a missing picture.
  static let placeholder = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 48"><rect width="64" height="48" fill="#8a94a6" \
    fill-opacity=".18"/><path d="M14 36l12-14 8 9 6-6 10 11z" fill="#8a94a6" fill-opacity=".55"/><circle cx="44" \
    cy="15" r="4" fill="#8a94a6" fill-opacity=".55"/></svg>

    """
}
