import Hummingbird
import Models

/// The dashboard's files; they are part of the program.
enum Asset {
  /// The style of every component, each of which has it beside its markup.
  static let style = compact(
    Page.style + Icon.style + Card.style + Control.style + DataTable.style + Avatar.style + RankPlot.style
      + ChartList.style
      + PhotoPages.style + PhotoViewer.style + PersonForms.style + RecordQuery.style + FollowsPage.style
      + OutboxItem.style + HomePage.style + Trouble.style + RecordSearch.style + ActivityPage.style
      + DuplicatesPage.style
      + Ticks.style + AccessPage.style + PeoplePages.style)

  /// The script of the page, and of the components that have some.
  static let script = compact(
    live + PhotoViewer.script + PersonForms.script + Ticks.script + PeoplePages.script)

  /// Without what only readers of the source need: indentation, and comments that are lines of their own.
  private static func compact(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("// ") }.joined(separator: "\n")
  }

  /// Updates the sections of the page when the daemon says that something happened.
  private static let live = """
    "use strict";
    const line = document.getElementById("line");
    // A form that was refused is answered with its page, whose own address is another one.
    const address = document.currentScript.dataset.page;
    // What a form led to is said once: the address is that of the page again.
    const note = document.querySelector(".note");
    if (note) {
      const shut = Object.assign(document.createElement("button"), { type: "button", className: "plainly shut", textContent: "✕", ariaLabel: "Close" });
      shut.addEventListener("click", () => { note.remove(); document.getElementById("main").focus(); });
      note.append(shut);
      // The button that was pressed is gone: who uses the keyboard goes on here, where it can be taken back.
      note.tabIndex = -1;
      if (document.activeElement === document.body) note.focus({ preventScroll: true });
      const here = new URL(location);
      here.searchParams.delete("note");
      history.replaceState(null, "", here);
    } else if (address) history.replaceState(null, "", address);
    let timer = 0, busy = false, last = 0, isClosed = false;
    const fields = "input:not([type=hidden]), select, textarea";
    const isChanged = (field) => field.matches("select") ? [...field.options].some((one) => one.selected !== one.defaultSelected)
      : field.value !== field.defaultValue || field.checked !== field.defaultChecked;
    // The form of a record is renewed as a whole, with the tag of what it shows, or not at all once something was changed in it.
    const isInUse = (field) => isChanged(field) || field === document.activeElement && !field.form?.elements.tag;
    const isTyped = (form) => form.elements.tag && [...form.querySelectorAll(fields)].some(isChanged);
    // A form that was refused has the reason in it.
    const isRefused = (form) => form.querySelector("[role=alert]") !== null;
    const holdsInput = (node) => node.nodeType === 1 && ([...node.querySelectorAll(fields)].some(isInUse)
      || [...node.querySelectorAll("form")].some(isRefused));

    // What an element of a list is about: the target of its first link or form.
    function keyOf(node) {
      if (node.nodeType !== 1) return node.nodeName;
      // A field that is called id takes the place of the property of its form.
      const id = node.getAttribute("id");
      if (id) return id;
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
      const field = old.matches("[name^='was.']") && old.form.elements[old.name.slice(4)] || old;
      if (field.matches(fields) && isInUse(field) || old.matches("form") && (isRefused(old) || isTyped(old))) return;
      // A tile that has the image of its size keeps it.
      if (old.dataset.tile && old.dataset.tile === fresh.dataset.tile) return;
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

    // What was typed into a form that is saved is kept until it is sent, also where the page is left by accident; signing out ends it.
    const drafts = [...document.querySelectorAll("main form[method=post]:has(.saving)")];
    const typedIn = (form) => [...form.elements].filter((one) => one.name && !["hidden", "file", "submit"].includes(one.type));
    const draftOf = (form) => "draft " + form.action + " " + (form.elements.id?.value || "");
    function keep({ target: { form } }) {
      if (!drafts.includes(form)) return;
      const held = typedIn(form).map((one, place, all) => [one.name, all.slice(0, place).filter((other) => other.name === one.name).length, one.type === "checkbox" || one.type === "radio" ? one.checked : one.value, isChanged(one)]);
      sessionStorage.setItem(draftOf(form), JSON.stringify(held.filter((one) => one[3])));
    }
    const forget = (form) => sessionStorage.removeItem(draftOf(form));
    for (const kind of ["input", "change"]) document.addEventListener(kind, keep);
    for (const form of drafts) {
      // A form that was refused has what was sent in it.
      const held = form.querySelector(".error") ? [] : JSON.parse(sessionStorage.getItem(draftOf(form)) || "[]");
      const one = (name, place) => typedIn(form).filter((field) => field.name === name)[place];
      for (const [name, place, value] of held) {
        if (!one(name, place) && one(name, 0)?.closest(".rows")) another([...one(name, 0).closest(".rows").querySelectorAll(".row")].at(-1));
        const field = one(name, place);
        if (!field) continue;
        if (typeof value === "boolean") field.checked = value; else field.value = value;
        field.closest("details")?.setAttribute("open", "");
      }
      if (!held.length) continue;
      for (const list of form.querySelectorAll(".rows")) {
        const last = [...list.querySelectorAll(".row")].at(-1);
        if ([...last?.querySelectorAll("input:not([type=hidden])") || []].some((one) => one.value)) another(last);
      }
      const said = Object.assign(document.createElement("p"), { className: "soft full", role: "status", textContent: "What you typed before is here again. " });
      const drop = Object.assign(document.createElement("button"), { type: "button", textContent: "Start over" });
      drop.addEventListener("click", () => { form.reset(); forget(form); said.remove(); });
      said.append(drop);
      form.prepend(said);
    }

    // A form that somebody fills in says so when its record was changed or removed elsewhere.
    function compare(fresh) {
      for (const form of document.querySelectorAll("main form")) {
        const id = form.elements.id?.value;
        if (!id || !isTyped(form)) continue;
        const now = [...fresh.querySelectorAll("main form")].find((one) => one.getAttribute("action") === form.getAttribute("action") && one.elements.id?.value === id);
        const card = form.closest("section"), old = card.parentElement.querySelector(":scope > .elsewhere");
        if (now?.elements.tag?.value === form.elements.tag.value) { old?.remove(); continue; }
        const told = old || Object.assign(document.createElement("p"), { className: "tile warned elsewhere", role: "status" });
        // The fields that show something else now, each with the way to it.
        const others = now ? [...now.elements].filter((one) => one.name.startsWith("was.") && form.elements[one.name]?.closest("label, fieldset") && form.elements[one.name].value !== one.value) : [];
        const ways = others.map((one) => {
          const box = form.elements[one.name].closest("label, fieldset");
          const way = Object.assign(document.createElement("button"), { type: "button", className: "plainly", textContent: (box.querySelector("legend") || box.firstChild).textContent.trim() });
          way.addEventListener("click", () => { box.closest("details")?.setAttribute("open", ""); box.querySelector(fields).focus(); });
          return way;
        });
        const text = document.createElement("span");
        text.append(now ? "Changed elsewhere meanwhile" + (ways.length ? ": " : ". ") : "This was removed elsewhere meanwhile. ", ...ways,
          now ? " What you typed is still here; when you save it, the page shows what differs." : "What you typed is still here, and can be saved as a new one.");
        if (told.textContent !== text.textContent) told.replaceChildren(text);
        if (!old) card.before(told);
      }
    }

    // Neither a link nor the browser's own buttons take what was typed into a form without a question.
    let leaving = false, isAsked = false;
    const isUnsaved = () => [...document.querySelectorAll("main form[method=post]")].some((form) =>
      form.querySelector(".saving") && [...form.querySelectorAll(fields)].some(isChanged));
    addEventListener("beforeunload", (event) => { if (!isAsked && isUnsaved()) event.preventDefault(); else leaving = true; });
    addEventListener("pageshow", () => { leaving = isAsked = false; });
    document.getElementById(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");
    async function renew() {
      timer = 0;
      if (busy || document.hidden) { plan(); return; }
      busy = true;
      try {
        const answer = await fetch(address || location.pathname + location.search, { credentials: "same-origin" });
        isClosed = answer.status === 401;
        if (isClosed) sessionStorage.clear();
        // A reload would take the place of the page to which the browser is on its way.
        if (isClosed && leaving) return;
        if (isClosed) {
          if (![...document.querySelectorAll("main form[method=post]")].some((form) => [...form.querySelectorAll(fields)].some(isChanged))) { location.reload(); return; }
          say("Signed out");
          tell(signedOut);
          busy = false;
          return;
        }
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        const focused = document.activeElement;
        for (const part of fresh.querySelectorAll("[data-live]")) {
          const old = document.getElementById(part.id);
          // A list to which further parts were added stays.
          if (old && !("more" in old.dataset)) update(old, part);
        }
        if (answer.ok || answer.status === 404) compare(fresh);
        // An element that was moved has lost it.
        if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
        if (beside) show(beside);
        ago();
        weigh();
        tally();
        last = Date.now();
      } catch { /* the daemon is away: the stream says when it is back */ }
      busy = false;
    }

    // What a form began is told in its note until it has ended: after what the note says, or in place of it.
    const began = note?.querySelector("p").textContent;
    let heard = "";
    async function follow(wait, left) {
      if (!left || !note.isConnected) return;
      const answer = await fetch(note.dataset.outcome, { credentials: "same-origin" }).catch(() => null);
      const told = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("p");
      if (told && told.textContent !== heard) {
        heard = told.textContent;
        if (told.dataset.more !== undefined) told.prepend(began + " ");
        note.querySelector("p").replaceWith(told);
        note.classList.toggle("bad", ["bad", "late"].includes(told.className));
        ago();
      }
      if (told && !["busy", "late"].includes(told.className)) plan(); else setTimeout(follow, wait, Math.min(wait * 1.5, 10000), left - 1);
    }

    // Choices are saved when every field has one.
    function weigh() {
      for (const form of document.querySelectorAll(".decide")) {
        const names = [...form.querySelectorAll("[type=radio]")].map((one) => one.name);
        form.querySelector("[data-whole]").disabled = names.some((name) => !form.elements[name].value);
      }
    }
    document.addEventListener("change", weigh);
    document.addEventListener("click", (event) => {
      const button = event.target.closest?.("[data-all]");
      if (!button) return;
      event.preventDefault();
      for (const one of button.form.querySelectorAll(`[type=radio][value=${button.dataset.all}]`)) one.checked = true;
      weigh();
      button.form.querySelector("[data-whole]").focus();
    });

    function plan() {
      if (!timer) timer = setTimeout(renew, Math.max(300, 2000 - (Date.now() - last)));
    }

    function say(text) { line.classList.toggle("live", text === "Live"); if (line.textContent !== text) { line.textContent = text; line.title = text; } }

    const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hour12: false });
    // `3 minutes ago`; for the time of a beginning, `17:03`.
    function said(time, isTime) {
      const at = new Date(time), now = new Date(), seconds = Math.round((at - now) / 1000), size = isTime ? 864e5 : Math.abs(seconds);
      const days = Math.round((new Date(at).setHours(0, 0, 0, 0) - new Date(now).setHours(0, 0, 0, 0)) / 864e5);
      const words = (number, unit) => new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(number, unit);
      // Words that are renewed now and then name no seconds.
      if (size < 45) return seconds > 0 ? "in a moment" : "just now";
      if (size < 5400) return words(Math.round(seconds / 60), "minute");
      if (size < 43200 && days === 0) return words(Math.round(seconds / 3600), "hour");
      if (isTime && days === 0) return clock.format(at);
      if (Math.abs(days) < 2) return words(days, "day") + ", " + clock.format(at);
      const year = at.getFullYear() === now.getFullYear() ? undefined : "numeric";
      return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year }).format(at);
    }

    function ago() {
      for (const time of document.querySelectorAll("time[data-ago]")) {
        const { due, lead = "", ago } = time.dataset, isDue = due !== undefined && new Date(time.dateTime) <= new Date();
        const text = isDue ? due : lead + said(time.dateTime, ago === "at");
        if (time.textContent !== text) time.textContent = text;
        time.title = time.dateTime;
      }
    }

    const keys = document.getElementById("keys"), menu = document.querySelector(".menu");
    // Keys: `/` to search, `g` and a letter for a section, `j` and `k` through a list, `?` for what there is.
    let lead = "";
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "k") { document.querySelector(".find input").focus(); event.preventDefault(); }
      if (event.key === "Escape") {
        const open = event.target.closest?.(".asks[open], .menu[open], .seek > [open]") || document.querySelector(".menu[open], .seek > [open]");
        if (open) { open.open = false; open.firstElementChild.focus(); event.preventDefault(); return; }
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches(fields)) return;
      const places = [...document.querySelectorAll("nav a")];
      const key = lead + event.key;
      lead = event.key === "g" ? "g" : "";
      if (key === "/") document.querySelector(".find input").focus();
      else if (key === "ArrowRight" || key === "ArrowLeft") {
        const link = document.querySelector(`main a[rel=${key === "ArrowRight" ? "next" : "prev"}]`);
        if (!link) return;
        link.click();
      } else if (key.length === 2) places.find((a) => a.dataset.key === key[1])?.click();
      else if (key === "j" || key === "k") {
        const items = [...document.querySelectorAll("main li a, main tbody th a")];
        items[items.indexOf(document.activeElement) + (key === "j" ? 1 : -1)]?.focus();
      } else if (key === "?") keys.open = !keys.open;
      else if (key === "Escape" && keys.open) keys.open = false;
      else if (key === "Escape" && isChoosing()) choose(false);
      else if (key === "x" && chooser) choose(!isChoosing());
      else if (key === "n") { menu.open = true; menu.querySelector("a").focus(); }
      else if (key === "e") document.querySelector("main a[href$='?edit']")?.click();
      else if (key === "s") document.querySelector("#follow form[action$='/do/sync'] button")?.click();
      else return;
      event.preventDefault();
    });

    document.addEventListener("click", (event) => {
      const link = event.target.closest?.("a[href]");
      if (!link || link.hash || link.target || event.ctrlKey || event.metaKey || event.shiftKey || !isUnsaved()) return;
      if (!confirm("Leave without saving?")) { event.preventDefault(); return; }
      isAsked = true;
      if (link.closest(".saving")) forget(link.closest("form"));
    });

    const signedOut = "This browser is signed out. Nothing was sent, and all that you typed is still here. Run ‘almanac dashboard’ in a terminal, "
      + "open its link in another tab, and send this form again.";
    // Says why a form was not sent: above its Save bar, also where somebody has scrolled up.
    function tell(text) {
      const told = document.querySelector(".unsent") || Object.assign(document.createElement("p"), { className: "note bad unsent", role: "alert" });
      if (told.textContent !== text) told.textContent = text;
      document.querySelector(".note:not(.unsent)")?.remove();
      const bar = document.querySelector("main .saving");
      if (bar) bar.before(told); else document.getElementById("main").prepend(told);
    }

    // A form is sent when the daemon takes it: else the browser would show another page in place of what was typed.
    const door = new URL("../more", document.currentScript.src);
    document.addEventListener("submit", async (event) => {
      const form = event.target, button = event.submitter;
      if (form.method !== "post" || form.dataset.state === "ready") { delete form.dataset.state; isAsked = true; forget(form); return; }
      event.preventDefault();
      if (form.dataset.state) return;
      form.dataset.state = "asking";
      const answer = await fetch(door, { method: "HEAD", cache: "no-store", credentials: "same-origin" }).catch(() => null);
      delete form.dataset.state;
      if (answer?.ok) { document.querySelector(".unsent")?.remove(); form.dataset.state = "ready"; form.requestSubmit(button); return; }
      if (answer?.status === 401) say("Signed out");
      tell(answer?.status === 401 ? signedOut : "Almanac does not answer. Nothing was sent, and all that you typed is still here.");
    });

    // From where the page was read: a change made while it loads is in the stream.
    const events = new URL("../api/v1/events", document.currentScript.src);
    const since = document.currentScript.dataset.since;
    if (since) events.searchParams.set("lastEventID", since);
    function connect() {
      const source = new EventSource(events);
      source.addEventListener("open", () => {
        document.body.classList.remove("away");
        if (document.querySelector(".offline")) location.reload();
        say("Live");
        for (const note of document.querySelectorAll(".unsent")) note.textContent = "Almanac answers again: send it now.";
        if (last) plan();
        last = last || 1;
      });
      source.addEventListener("error", () => {
        document.body.classList.add("away");
        say("Almanac does not answer");
        // After an error status, as that of a proxy without its server, the browser does not try again.
        if (source.readyState === EventSource.CLOSED) setTimeout(reconnect, 5000);
      });
      source.addEventListener("commit", plan);
      source.addEventListener("reset", plan);
      source.addEventListener("progress", (event) => {
        const what = JSON.parse(event.data);
        if (what.kind === "followStarted") { say("Syncing " + what.follow); plan(); }
        if (what.kind === "pageCommitted") say(what.follow + ": " + what.done + (what.total ? " of " + what.total : ""));
        if (what.kind === "followFinished") { say(what.follow + ": " + what.report.status); plan(); }
        if (what.kind === "syncFinished") { say("Live"); plan(); }
        if (what.kind === "pictures") {
          if (what.total) say("Pictures: " + what.done + " of " + what.total);
          if (what.summary) { say("Live"); plan(); }
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
    // Somebody may have signed in again in another tab.
    document.addEventListener("visibilitychange", () => { if (isClosed && !document.hidden) reconnect(); });

    // Another row for a list whose last row is being filled.
    document.addEventListener("input", (event) => {
      // Day, month and year are in a row, too, of which there is one.
      const row = event.target.name?.includes("[].") && event.target.closest(".rows .row:last-of-type");
      if (row && event.target.value) another(row);
    });
    function another(row) {
      const copy = row.cloneNode(true);
      for (const input of copy.children) { input.removeAttribute("autofocus"); input.setAttribute("value", ""); input.value = ""; }
      row.after(copy);
    }

    // A file that is dropped on a page with a field for it, or with a link to the form: that one is sent at once.
    const target = document.querySelector("[data-drop]");
    if (target) for (const kind of ["dragover", "dragleave", "drop"]) addEventListener(kind, (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      document.body.classList.toggle("dropping", kind === "dragover");
      if (kind !== "drop") return;
      if (target.form) { target.files = event.dataTransfer.files; target.form.querySelector("button").focus(); return; }
      const form = Object.assign(document.createElement("form"), { method: "post", action: target.dataset.drop,
        enctype: "multipart/form-data", innerHTML: "<input type=file name=cards hidden>" });
      form.elements.cards.files = event.dataTransfer.files;
      target.after(form);
      form.requestSubmit();
    });

    // A search shows what it finds while somebody types, and an order is taken as it is chosen.
    let typing = 0;
    for (const form of document.querySelectorAll("main form[role=search]")) form.addEventListener("input", (event) => {
      if (event.target.type !== "search" && event.target.name !== "sort") return;
      clearTimeout(typing);
      typing = setTimeout(() => {
        const place = new URL(form.action);
        place.search = new URLSearchParams([...new FormData(form)].filter(([name, text]) => text && (name !== "is" || form.elements.value.value)));
        history.replaceState(null, "", place);
        renew();
      }, 200);
    });
    for (const form of document.querySelectorAll("main .seek")) form.addEventListener("change", (event) => {
      if (event.target.name === "value") form.requestSubmit();
    });

    // The best matches below the field at the top, while somebody types there.
    const find = document.querySelector(".find"), list = document.createElement("ul");
    list.className = "suggestions";
    find.append(list);
    function row(address, text, icon) {
      const item = document.createElement("li"), link = document.createElement("a");
      link.className = "place";
      link.href = address;
      link.append(...(icon ? [icon.cloneNode(true)] : []), text);
      item.append(link);
      return item;
    }
    // The sections, and what can be added, whose names have the words in them.
    const near = (words) => [...document.querySelectorAll("nav a:not(.phone), .top .menu a")].map((a) => [a, a.querySelector("span")?.textContent || a.textContent])
      .filter(([, text]) => text.toLowerCase().includes(words.toLowerCase())).slice(0, 3).map(([a, text]) => row(a.href, a.closest("nav") ? `Go to ${text}` : text, a.querySelector(".icon")));
    find.addEventListener("input", () => {
      clearTimeout(typing);
      typing = setTimeout(async () => {
        const words = find.elements.words.value.trim(), place = new URL(find.action);
        place.searchParams.set("words", words);
        const answer = words && await fetch(place, { credentials: "same-origin" }).catch(() => null);
        if (find.elements.words.value.trim() !== words) return;
        const fresh = new DOMParser().parseFromString(answer && answer.ok ? await answer.text() : "", "text/html");
        list.replaceChildren(...[...fresh.querySelectorAll("#found li")].slice(0, 6), ...(words ? [...near(words), row(place, `All results for ‘${words}’`)] : []));
      }, 200);
    });
    find.addEventListener("keydown", (event) => {
      const links = [find.elements.words, ...list.querySelectorAll("a")], step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") list.replaceChildren();
      const next = step && links[links.indexOf(document.activeElement) + step];
      if (next) { event.preventDefault(); next.focus(); }
    });
    document.addEventListener("click", (event) => {
      if (!find.contains(event.target)) list.replaceChildren();
      for (const one of document.querySelectorAll(".menu[open], .seek > [open]")) if (!one.contains(event.target)) one.open = false;
    });

    // A point of a plot: its name, day and rank beside it.
    function point(plot, dot) {
      const say = plot.parentElement.querySelector(".point");
      plot.querySelector(".on")?.classList.remove("on");
      dot?.classList.add("on");
      say.textContent = dot?.textContent || "";
      if (!dot) return;
      const r = dot.getBoundingClientRect(), box = plot.getBoundingClientRect(), middle = r.x + r.width / 2 - box.x - say.offsetWidth / 2;
      say.style.left = Math.max(0, Math.min(middle, box.width - say.offsetWidth)) + "px";
      say.style.top = r.y - box.y - say.offsetHeight - 6 + "px";
    }

    // The arrow keys lead along a line, and to the next one.
    document.addEventListener("keydown", (event) => {
      const plot = event.target.closest?.(".plot"), [along, across] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [];
      if (!plot || along === undefined) return;
      const lines = [...plot.querySelectorAll("g")].map((line) => [...line.querySelectorAll("circle")]).filter((line) => line.length);
      const on = plot.querySelector(".on"), line = Math.max(0, lines.findIndex((one) => one.includes(on)));
      const next = lines[(line + across + lines.length) % lines.length], place = (dot) => parseFloat(dot.getAttribute("cx"));
      const dot = !on ? next.at(-1) : along ? next[next.indexOf(on) + along] || on
        : next.reduce((one, other) => Math.abs(place(other) - place(on)) < Math.abs(place(one) - place(on)) ? other : one);
      point(plot, dot);
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true);
    document.addEventListener("focusout", (event) => { if (event.target.matches?.(".plot")) point(event.target); });

    // The one that is nearest to the finger or the mouse.
    for (const kind of ["pointermove", "pointerdown"]) document.addEventListener(kind, (event) => {
      const plot = event.target.closest?.(".plot");
      if (!plot) return;
      const far = (dot) => { const r = dot.getBoundingClientRect(); return Math.hypot(r.x + r.width / 2 - event.clientX, r.y + r.height / 2 - event.clientY); };
      const near = [...plot.querySelectorAll("circle")].reduce((one, dot) => !one || far(dot) < far(one) ? dot : one, null);
      point(plot, near);
    });

    connect();
    ago();
    weigh();
    if (note?.dataset.outcome) follow(500, 60);
    setInterval(ago, 10000);
    // Browsers have it on HTTPS and on this machine only.
    const worker = new URL("offline.js", document.currentScript.src);
    navigator.serviceWorker?.register(worker, { scope: new URL("../", worker) });

    """

  /// The service worker: shows the pages that were opened last, with their pictures, while the daemon does not answer.
  ///
  /// Nothing is kept of a browser that is signed out: `Clear-Site-Data` and every 401 remove all of it.
  static let worker = """
    "use strict";
    const store = "pages", most = 300;
    addEventListener("install", () => skipWaiting());
    addEventListener("activate", (event) => event.waitUntil(clients.claim()));
    addEventListener("fetch", (event) => {
      const { request } = event;
      // Whoever signs a browser out leaves nothing behind.
      if (request.method === "POST" && request.url.includes("/do/access/sessions/")) event.waitUntil(inTurn(remove));
      const isWanted = request.mode === "navigate" || ["image", "script", "style"].includes(request.destination);
      if (request.method === "GET" && isWanted && new URL(request.url).origin === origin) event.respondWith(answer(event));
    });

    async function answer(event) {
      const { request } = event;
      const response = await fetch(request).catch(() => null);
      // A proxy says in its own words that the daemon does not answer.
      if (!response || [502, 503, 504].includes(response.status) && !response.headers.has("X-Almanac")) {
        const kept = await caches.match(request, { ignoreVary: true });
        if (kept || request.mode !== "navigate") return kept || response || Response.error();
        return missing();
      }
      if (response.status === 401) event.waitUntil(inTurn(remove));
      // What is said once belongs to no page.
      else if (response.ok && !request.url.includes("note=")) {
        const copy = response.clone();
        event.waitUntil(inTurn(() => keep(request, copy)));
      }
      return response;
    }

    // One after the other: what is removed is not made again by an answer that came before.
    let last = Promise.resolve();
    const inTurn = (work) => last = last.then(work, work);
    const remove = () => caches.delete(store);

    async function keep(request, response) {
      // Scripts, styles and pictures belong to a page: the one that says 'signed out' has some, too, and is not kept.
      if (request.mode !== "navigate" && !await caches.has(store)) return;
      const cache = await caches.open(store);
      await cache.put(request, response);
      const keys = await cache.keys();
      for (const old of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(old);
    }

    // A page that was not opened before: the ones that were, in the frame of one of them.
    async function missing() {
      const cache = await caches.open(store), list = [];
      let frame = "<main></main>", headers = { "Content-Type": "text/html" };
      for (const request of (await cache.keys()).reverse()) {
        const page = await cache.match(request);
        if (!page.headers.get("Content-Type").startsWith("text/html")) continue;
        if (!list.length) [frame, headers] = [await page.clone().text(), page.headers];
        const title = (await page.text()).match(/<title>(.*?) · Almanac</)?.[1] || request.url;
        if (!list.some((one) => one.includes(">" + title + "<"))) list.push("<a class=tile href='" + request.url.replaceAll("&", "&amp;").replaceAll("'", "%27") + "'>" + title + "</a>");
      }
      const said = "<main id=main tabindex=-1><section class='card narrow offline'><h1>Almanac does not answer</h1><p>This page was not opened before. "
        + "It comes by itself when Almanac answers again. These pages are kept in this browser:</p><div class=tiles>" + list.slice(0, 50).join("") + "</div></section></main>";
      return new Response(frame.replace(/<main[^]*<\\/main>/, () => said).replace(/<title>.*?<\\/title>/, "<title>Offline · Almanac</title>")
        .replaceAll(' aria-current="page"', ""), { status: 503, headers });
    }

    """

  /// What a phone shows of the page when it is kept on its first screen.
  static let manifest = """
    {"name": "Almanac", "short_name": "Almanac", "start_url": "../", "scope": "../", "display": "minimal-ui",
     "background_color": "#f5f6f9", "theme_color": "#1459c7",
     "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}]}

    """

  static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="5" width="26" height="24" rx="5" \
    fill="#0b57a4"/><rect x="3" y="5" width="26" height="8" rx="4" fill="#083f78"/><path d="M10 2v6M22 2v6" \
    stroke="#8ab8f5" stroke-width="2.5" stroke-linecap="round"/><path d="M8 24l5-5 4 3 7-7" fill="none" stroke="#fff" \
    stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/></svg>

    """

  /// Shown in place of a missing picture, in a color of its own: so that many are not all the same.
  static func placeholder(for path: String = "") -> String {
    let color = path.isEmpty ? "#8a94a6" : "hsl(\(XXHash64.sum(Array(path.utf8)) % 360) 42% 58%)"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 48" fill="\(color)"><rect width="64" height="48" \
      fill-opacity=".3"/><path d="M14 36l12-14 8 9 6-6 10 11z" fill-opacity=".8"/><circle cx="44" cy="15" r="4" \
      fill-opacity=".8"/></svg>

      """
  }
}
