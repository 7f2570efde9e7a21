/// The viewer of photos: a photo from edge to edge, over the page. Without scripts, a photo's page takes its place.
enum PhotoViewer {
  static let style = """
    .viewer { width: 100vw; height: 100vh; height: 100dvh; max-width: none; max-height: none; margin: 0; padding: 0; border: 0;
      background: #000; color: #fff; overflow: hidden; } .viewer::backdrop { background: #000; }
    .viewer[open] { display: grid; } .viewer > * { grid-area: 1 / 1; }
    .viewer img { width: 100%; height: 100%; min-height: 0; object-fit: contain; touch-action: pan-y pinch-zoom; }
    .viewer p { place-self: end stretch; margin: 0; padding: var(--xl) var(--l) var(--m); display: flex; gap: var(--m); flex-wrap: wrap;
      align-items: center; background: linear-gradient(#0000, #000c); text-shadow: 0 0 4px #000; pointer-events: none; }
    .viewer p > :first-child { flex: 1; min-width: 0; font-weight: 550; } .viewer a { color: #fff; pointer-events: auto; display: inline-flex; align-items: center; min-height: 44px; min-width: 44px; }
    .viewer button { align-self: center; width: 48px; height: 48px; padding: 0; border: 0; border-radius: 50%; background: #0008; color: #fff; margin: 8px; z-index: 1; }
    .viewer [hidden] { display: none; } .viewer button:hover { background: #444c; } .viewer .next { justify-self: end; } .viewer .shut { place-self: start end; }
    .viewer:focus { outline: none; } .viewer :focus-visible { outline-color: #fff; }
    @media (hover: none) { .viewer .prev, .viewer .next { background: #0005; } }
    @media (max-width: 640px) { .viewer p { padding: var(--xl) var(--m) calc(var(--s) + env(safe-area-inset-bottom)); gap: 0 var(--m); } .viewer p > :first-child { flex-basis: 100%; }
      .viewer p > :not(:first-child) { font-size: var(--t-s); white-space: nowrap; } .viewer p > :nth-child(2) { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; } .viewer .prev, .viewer .next { width: 44px; height: 44px; margin: 4px; } }

    """

  /// Opens a photo by a tap, Return or `f`; arrows, swipes and buttons lead to its neighbours; Escape, the cross and the way
  /// back close it. Loads further photos of a list where somebody scrolls; who walks through it by Tab has the link.
  static let script = """
    {
      const tiles = () => [...document.querySelectorAll("[data-large]")];
      const home = location.href;
      const view = document.createElement("dialog");
      view.className = "viewer";
      view.tabIndex = -1;
      view.setAttribute("aria-label", "Photo");
      view.innerHTML = `<img alt=""><p><span></span><span></span><span role="status"></span><a>Details</a></p><button class="prev" aria-label="Previous photo">
        </button><button class="next" aria-label="Next photo"></button><button class="shut" aria-label="Close"></button>`;
      const [image, [title, by, place, details], ...buttons] = [view.children[0], view.children[1].children, ...[...view.children].slice(2)];
      ["M14 6l-6 6 6 6", "M10 6l6 6-6 6", "M6 6l12 12M18 6L6 18"].forEach((path, number) => {
        buttons[number].innerHTML = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;
      });
      let shown = 0;

      // Links to the neighbours of a photo's own page.
      const side = (step) => document.querySelector(`main a[rel=${step > 0 ? "next" : "prev"}]`);
      const isList = () => tiles().length > 0 && tiles()[0].dataset.page === undefined;

      function show(number) {
        const tile = tiles()[number], small = tile.querySelector("img");
        shown = number;
        image.alt = small.alt;
        image.src = small.src;
        const large = new Image();
        large.src = tile.dataset.large;
        large.decode().then(() => { if (tiles()[shown] === tile) image.src = large.src; }, () => {});
        title.textContent = small.alt;
        by.textContent = tile.dataset.by;
        const list = document.querySelector("#photos");
        place.textContent = tile.dataset.place || (list && list.dataset.total ? `${number + 1} of ${list.dataset.total}` : "");
        details.href = isList() ? tile.href : home.split("#")[0];
        const next = tiles()[number + 1];
        if (next) new Image().src = next.dataset.large;
        buttons[0].hidden = number === 0 && !(!isList() && side(-1));
        buttons[1].hidden = !next && !side(1);
        // A button that is hidden would take the keys along.
        if (!view.contains(document.activeElement) || document.activeElement.hidden) view.focus();
      }

      function open(number) {
        if (!tiles()[number]) return;
        if (!view.isConnected) document.body.append(view);
        view.showModal();
        view.focus();
        if (!history.state?.photo) history.pushState({ photo: true }, "", "#photo");
        show(number);
      }

      async function move(step) {
        if (!tiles()[shown + step]) {
          const link = side(step);
          if (!link || isList() && step < 0) return;
          if (!isList()) { location.replace(link.href + "#photo"); return; }
          await more(link);
        }
        if (tiles()[shown + step]) show(shown + step);
      }

      const shut = () => view.close();
      view.addEventListener("close", () => {
        // The way back goes on to the page before.
        if (history.state?.photo) { if (isList()) history.back(); else history.replaceState(null, "", location.pathname); }
        tiles()[shown]?.focus();
      });
      addEventListener("popstate", () => { if (view.open && location.hash !== "#photo") view.close(); });
      view.addEventListener("click", (event) => {
        const button = event.target.closest("button");
        if (button) [() => move(-1), () => move(1), shut][buttons.indexOf(button)]();
        else if (event.target === view) shut();
      });
      view.addEventListener("keydown", (event) => {
        event.stopPropagation();
        if (event.key === "ArrowLeft" || event.key === "k") move(-1);
        else if (event.key === "ArrowRight" || event.key === "j") move(1);
        else if (event.key === "f") shut();
      });
      let touch = null;
      view.addEventListener("touchstart", (event) => { touch = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
      view.addEventListener("touchend", (event) => {
        if (!touch || visualViewport?.scale > 1.01) return;
        const [x, y] = [event.changedTouches[0].clientX - touch.clientX, event.changedTouches[0].clientY - touch.clientY];
        if (Math.abs(x) > 40 && Math.abs(x) > Math.abs(y)) move(x < 0 ? 1 : -1); else if (y > 90) shut();
      });
      document.addEventListener("click", (event) => {
        const tile = event.target.closest("[data-large]");
        if (!tile || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
        event.preventDefault();
        open(tiles().indexOf(tile));
      });
      document.addEventListener("keydown", (event) => {
        byKeys = byKeys || event.key === "Tab";
        if (event.key !== "f" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches(fields)) return;
        open(Math.max(0, tiles().indexOf(document.activeElement)));
      });

      // A tile that is in sight or near it gets the image of its size in place of the smallest one.
      function sharpen(image) {
        if (!image.dataset?.tile || image.dataset.fine) return;
        image.dataset.fine = "yes";
        wanted.push(image);
        refine();
      }
      // A few at a time: a browser has six connections, and the page itself needs some.
      const wanted = [];
      let refining = 0;
      function refine() {
        if (refining === 2 || !wanted.length) return;
        const image = wanted.pop(), fine = new Image();
        refining += 1;
        fine.fetchPriority = "low";
        fine.src = image.dataset.tile;
        fine.decode().then(() => { image.src = fine.src; }, () => {}).finally(() => { refining -= 1; refine(); });
        refine();
      }
      document.addEventListener("load", (event) => sharpen(event.target), true);
      for (const image of document.images) if (image.complete) sharpen(image);

      // The next part of the list, at its end.
      let loading = null, byKeys = false;
      for (const kind of ["pointerdown", "wheel", "touchstart"]) addEventListener(kind, () => { byKeys = false; }, { passive: true });
      function more(link) {
        loading = loading || (async () => {
          const fresh = new DOMParser().parseFromString(await (await fetch(link.href, { credentials: "same-origin" })).text(), "text/html");
          const list = document.querySelector("#photos"), heading = (part) => part.querySelector("h2").textContent;
          list.dataset.more = "";
          for (const part of fresh.querySelectorAll("#photos .by-month")) {
            const last = [...list.querySelectorAll(".by-month")].at(-1);
            if (last && heading(last) === heading(part)) last.querySelector("ul").append(...part.querySelector("ul").children);
            else last.after(part);
          }
          const pager = list.querySelector(".pager"), next = fresh.querySelector("#photos .pager a[rel=next]");
          if (next) pager.querySelector("a[rel=next]").replaceWith(next); else pager.remove();
        })().catch(() => {}).finally(() => { loading = null; watch(); });
        return loading;
      }
      const end = new IntersectionObserver((seen) => { if (!byKeys && seen.some((one) => one.isIntersecting)) more(side(1)); }, { rootMargin: "1200px" });
      function watch() {
        end.disconnect();
        if (isList() && side(1)) end.observe(side(1));
      }
      watch();
      if (location.hash === "#photo" && tiles().length && !isList()) { history.replaceState({ photo: true }, ""); open(0); }
    }

    """
}
