internal import FlamelarkAnalysis

/// The looks of a flame graph and what its script does. Nothing in here comes from a trace.
enum FlameGraphStyle {
  /// What a box is, by colour. The colours are those of Okabe and Ito, which people with any kind of
  /// colour vision tell apart; the names in the boxes say the same.
  enum Colour: String, CaseIterable {
    case root = "r"
    case span = "s"
    case spanToo = "s2"
    case folded = "f"
    case uninstrumented = "u"
    case preempted = "p"
    case blocked = "b"
    case queued = "q"
    case backlog = "l"
    case other = "o"

    var words: String {
      switch self {
      case .root: "all, threads"
      case .span, .spanToo: "spans"
      case .folded: "folded"
      case .uninstrumented: "uninstrumented"
      case .preempted: "preempted"
      case .blocked: "blocked"
      case .queued: "queued"
      case .backlog: "backlog"
      case .other: "other variation"
      }
    }
  }

  static func colour(of node: FlameTree.Node) -> Colour {
    switch node.kind {
    case nil: .root
    case .span: node.name.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 1 == 0 ? .span : .spanToo
    case .folded: .folded
    case .uninstrumented: .uninstrumented
    case .preempted: .preempted
    case .blocked: .blocked
    case .queued: .queued
    case .backlog: .backlog
    case .other: .other
    }
  }

  static let css = """
    svg { --page: #fff; --ink: #111; --line: #fff; --soft: #555;
      background: var(--page); color-scheme: light dark; }
    .page { fill: var(--page); }
    text { font: 11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #111;
      pointer-events: none; white-space: pre; }
    .title { font-size: 16px; font-weight: bold; fill: var(--ink); }
    .sub { fill: var(--soft); }
    .n rect { stroke: var(--line); stroke-width: .5; cursor: pointer; }
    .r rect { fill: #c9c9c9; } .s rect { fill: #e69f00; } .s2 rect { fill: #efb84a; }
    .f rect { fill: #f0e442; } .u rect { fill: #9a9a9a; } .p rect { fill: #cc79a7; }
    .b rect { fill: #56b4e9; } .q rect { fill: #2fb58c; } .l rect { fill: #7a9cf0; }
    .o rect { fill: #dcdcdc; }
    .dim rect { opacity: .5; }
    .searching .n:not(.hit) rect { opacity: .3; }
    .hit rect { stroke: #d00000; stroke-width: 2; }
    .n:focus { outline: none; }
    .n:focus rect { stroke: var(--ink); stroke-width: 2.5; }
    .script { display: none; }
    .button { fill: #0072b2; cursor: pointer; pointer-events: auto; text-decoration: underline; }
    input { font: 12px ui-monospace, monospace; width: 100%; box-sizing: border-box; }
    @media (prefers-color-scheme: dark) {
      svg { --page: #1b1b1d; --ink: #f2f2f2; --line: #1b1b1d; --soft: #b5b5b5; }
      .button { fill: #7cc4f2; }
      .searching .n:not(.hit) text { fill: #ddd; }
      .hit rect { stroke: #ff6b6b; }
    }

    """

  static let controls = """
    <g class="script"><text class="button" id="reset" x="790" y="24" tabindex="0" role="button">\
    reset zoom</text><text class="sub" id="matched" x="790" y="44"> </text>\
    <foreignObject x="900" y="8" width="290" height="26">\
    <input xmlns="http://www.w3.org/1999/xhtml" id="search" type="search" \
    placeholder="search: regular expression, key /" aria-label="search, a regular expression"/>\
    </foreignObject></g>

    """

  static let script = #"""
    (function () {
      "use strict";
      var me = document.currentScript;
      var svg = (me && me.ownerSVGElement) || document.documentElement;
      var left = 10, width = 1180, column = 6.6;
      var info = svg.querySelector("#info"), matched = svg.querySelector("#matched");
      var search = svg.querySelector("#search"), reset = svg.querySelector("#reset");
      var group = svg.querySelector("#nodes"), all = svg.querySelector(".script");
      var hint = "click or Enter: zoom; arrows: move; Esc: reset; /: search";
      all.style.display = "inline";
      info.textContent = hint;

      // The boxes in the order of a walk: a parent stands before its children.
      var nodes = Array.prototype.map.call(group.querySelectorAll(".n"), function (g, i) {
        var rect = g.querySelector("rect"), title = g.querySelector("title").textContent;
        return { g: g, rect: rect, text: g.querySelector("text"), title: title,
          name: title.split("\n")[0], x: +rect.getAttribute("x"), w: +rect.getAttribute("width"),
          y: +rect.getAttribute("y"), total: +rect.getAttribute("data-t"), index: i };
      });
      if (!nodes.length) { return; }
      nodes.forEach(function (n) { n.g.__node = n; });
      var root = nodes[0], zoomed = root, focused = root;
      root.g.setAttribute("tabindex", "0");

      function fitted(name, w) {
        var room = Math.floor((w - 6) / column);
        if (room < 3) { return ""; }
        var chars = Array.from(name), used = 0, out = "";
        for (var i = 0; i < chars.length; i++) {
          var wide = chars[i].codePointAt(0) > 0x10ff ? 2 : 1;
          if (used + wide > room) { return out.slice(0, -1) + "…"; }
          used += wide;
          out += chars[i];
        }
        return out;
      }

      function place(n, x, w) {
        n.g.style.display = "";
        n.rect.setAttribute("x", x);
        n.rect.setAttribute("width", w);
        var label = fitted(n.name, w);
        if (!n.text && label) {
          n.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
          n.text.setAttribute("y", n.y + 13);
          n.g.appendChild(n.text);
        }
        if (n.text) {
          n.text.setAttribute("x", x + 3);
          n.text.textContent = label;
        }
      }

      function contains(outer, inner) {
        return outer.y <= inner.y && outer.x <= inner.x + 0.005 &&
          outer.x + outer.w >= inner.x + inner.w - 0.005;
      }

      function zoom(to) {
        zoomed = to;
        var scale = width / to.w;
        nodes.forEach(function (n) {
          n.g.classList.remove("dim");
          if (n.y < to.y && contains(n, to)) {
            n.g.classList.add("dim");
            place(n, left, width);
          } else if (n.y >= to.y && contains(to, n)) {
            place(n, left + (n.x - to.x) * scale, n.w * scale);
          } else {
            n.g.style.display = "none";
          }
        });
        tell(to);
      }

      function tell(n) { info.textContent = n.title.replace("\n", "  "); }

      function focus(n) {
        focused.g.removeAttribute("tabindex");
        focused = n;
        n.g.setAttribute("tabindex", "0");
        n.g.focus();
        tell(n);
      }

      function find(pattern) {
        var expression = null;
        matched.textContent = " ";
        try {
          expression = pattern ? new RegExp(pattern, "i") : null;
        } catch (error) {
          matched.textContent = "no regular expression";
        }
        svg.classList.toggle("searching", !!expression);
        var sum = 0, count = 0, end = -1, outer = 0;
        nodes.forEach(function (n) {
          var hit = !!expression && expression.test(n.name);
          n.g.classList.toggle("hit", hit);
          if (!hit) { return; }
          count += 1;
          // What lies in a box that matches is counted with it.
          if (n.y > outer && n.x + n.w <= end + 0.005) { return; }
          sum += n.total;
          end = n.x + n.w;
          outer = n.y;
        });
        if (expression) {
          matched.textContent = "matched " + (100 * sum / root.total).toFixed(2) + " %, " + count +
            (count === 1 ? " box" : " boxes");
        }
      }

      function shown(n) { return n.g.style.display !== "none"; }

      function neighbour(key) {
        var i, n, from = focused;
        if (key === "ArrowUp") {
          for (i = from.index - 1; i >= 0; i--) {
            if (nodes[i].y < from.y) { return nodes[i]; }
          }
        }
        if (key === "ArrowDown") {
          n = nodes[from.index + 1];
          return n && n.y > from.y && shown(n) ? n : null;
        }
        var step = key === "ArrowLeft" ? -1 : 1;
        for (i = from.index + step; i >= 0 && i < nodes.length; i += step) {
          if (nodes[i].y < from.y && step > 0 && nodes[i].y <= zoomed.y) { return null; }
          if (nodes[i].y === from.y && shown(nodes[i])) { return nodes[i]; }
        }
        return null;
      }

      function nodeAt(target) {
        while (target && target !== svg) {
          if (target.__node) { return target.__node; }
          target = target.parentNode;
        }
        return null;
      }

      group.addEventListener("click", function (event) {
        var n = nodeAt(event.target);
        if (n) { zoom(n); focus(n); }
      });
      group.addEventListener("mouseover", function (event) {
        var n = nodeAt(event.target);
        if (n) { tell(n); }
      });
      search.addEventListener("input", function () { find(search.value); });
      function resetAll() {
        search.value = "";
        find("");
        zoom(root);
        info.textContent = hint;
      }
      reset.addEventListener("click", resetAll);
      svg.addEventListener("keydown", function (event) {
        if (event.key === "Escape") { resetAll(); focus(root); return; }
        if (event.target === search) { return; }
        if (event.target === reset && (event.key === "Enter" || event.key === " ")) {
          event.preventDefault();
          resetAll();
          return;
        }
        if (event.ctrlKey || event.metaKey || event.altKey) { return; }
        if (event.key === "/") { event.preventDefault(); search.focus(); return; }
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          zoom(focused);
          return;
        }
        if (event.key.slice(0, 5) === "Arrow") {
          event.preventDefault();
          var n = neighbour(event.key);
          if (n) { focus(n); }
        }
      });
    })();

    """#
}
