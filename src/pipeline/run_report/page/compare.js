// Leads through the passages of two texts. Without this script both texts, their marks and the links
// between them are there. The view is kept in the address, so that it can be sent to others.
(function () {
  'use strict';
  const panes = { a: document.getElementById('text-a'), b: document.getElementById('text-b') };
  const filters = document.getElementById('filters');
  const told = document.getElementById('told');
  const words = document.getElementById('edit-words');
  const passages = new Map();  // by number: its row, its marks in each text, its bars
  const edits = { a: new Map(), b: new Map() };  // by number, as "3.1": its marks
  const marks = { a: [], b: [] };  // all, in the order of the text
  const shown = { a: [], b: [] };  // those of passages that are shown
  let current = 0, currentEdit = 0;
  let following = null, release = 0;  // the pane that is scrolled by the other one

  for (const row of document.querySelectorAll('[data-passage]')) {
    passages.set(Number(row.dataset.passage), { row, a: [], b: [], bars: [], isShown: true });
  }
  for (const side of ['a', 'b']) {
    for (const part of panes[side].querySelectorAll('[data-p]')) {
      passages.get(Number(part.dataset.p))[side].push(part);
      marks[side].push(part);
      if (!part.dataset.e) continue;
      if (!edits[side].has(part.dataset.e)) edits[side].set(part.dataset.e, []);
      edits[side].get(part.dataset.e).push(part);
    }
  }
  for (const bar of document.querySelectorAll('.panes rect[data-p]')) {
    passages.get(Number(bar.dataset.p)).bars.push(bar);
  }
  if (passages.size === 0) return;
  filters.hidden = false;

  function marksOf(side, number, edit) {
    return edits[side].get(number + '.' + edit) || [];
  }

  // The kinds of the edits of a passage.
  function kindsOf(number) {
    const passage = passages.get(number);
    passage.kinds = passage.kinds || passage.row.dataset.edits.split(' ').filter(Boolean);
    return passage.kinds;
  }

  // --- the view, and its address ---
  function shownNumbers() {
    return [...passages.keys()].filter((number) => passages.get(number).isShown);
  }

  function applyFilters() {
    const kinds = new Set([...filters.querySelectorAll('[name=kind]:checked')].map((box) => box.value));
    const channel = filters.elements.channel.value, least = Number(filters.elements.least.value);
    for (const passage of passages.values()) {
      const facts = passage.row.dataset;
      passage.isShown = kinds.has(facts.kind) && (channel === '' || facts.channel === channel) &&
        Number(facts.matched) >= least;
      for (const part of [passage.row, ...passage.a, ...passage.b, ...passage.bars]) {
        part.classList.toggle('off', !passage.isShown);
      }
    }
    for (const side of ['a', 'b']) {
      shown[side] = marks[side].filter((part) => passages.get(Number(part.dataset.p)).isShown);
    }
  }

  function writeAddress() {
    const view = new URLSearchParams();
    if (current) view.set('p', current);
    if (currentEdit) view.set('e', currentEdit);
    const off = [...filters.querySelectorAll('[name=kind]:not(:checked)')].map((box) => box.value);
    if (off.length) view.set('without', off.join(','));
    if (filters.elements.channel.value) view.set('channel', filters.elements.channel.value);
    if (Number(filters.elements.least.value)) view.set('least', filters.elements.least.value);
    if (!filters.elements.together.checked) view.set('together', '0');
    history.replaceState(null, '', '#' + view.toString());
  }

  function readAddress() {
    const hash = location.hash.slice(1);
    const link = /^[ab](\d+)$/.exec(hash);
    const view = new URLSearchParams(link ? 'p=' + link[1] : hash);
    const off = new Set((view.get('without') || '').split(','));
    for (const box of filters.querySelectorAll('[name=kind]')) box.checked = !off.has(box.value);
    filters.elements.channel.value = view.get('channel') || '';
    if (filters.elements.channel.selectedIndex < 0) filters.elements.channel.value = '';
    filters.elements.least.value = Number(view.get('least')) || 0;
    filters.elements.together.checked = view.get('together') !== '0';
    applyFilters();
    const number = Number(view.get('p'));
    const edit = Number(view.get('e'));
    if (passages.has(number)) return show(number, kindsOf(number)[edit - 1] ? edit : 0);
    for (const side of ['a', 'b']) bringIn(side, passages.get(1)[side][0]);
  }

  // --- going to a place ---
  function scrollBy(pane, pixels) {
    following = pane;
    clearTimeout(release);
    release = setTimeout(function () { following = null; }, 150);
    pane.scrollTop += pixels;
  }

  // Scrolls a pane so that a part of it is a quarter of the way down.
  function bringIn(side, part) {
    if (!part) return;
    const top = part.getBoundingClientRect().top - panes[side].getBoundingClientRect().top;
    scrollBy(panes[side], top - panes[side].clientHeight / 4);
  }

  function tell(number, edit) {
    const passage = passages.get(number);
    told.hidden = false;
    const parts = [document.createTextNode(number + '  ')];
    if (edit) {
      const kind = kindsOf(number)[edit - 1];
      parts.push(words.querySelector('[data-kind="' + kind + '"]').cloneNode(true));
      for (const [side, arrow] of [['b', ': '], ['a', ' → ']]) {
        const quoted = document.createElement('q');
        quoted.textContent =
          marksOf(side, number, edit).map((mark) => mark.textContent).join('') || '∅';
        parts.push(document.createTextNode(arrow), quoted);
      }
    } else {
      const how = passage.row.cells[4].cloneNode(true);
      parts.push(...how.childNodes);
    }
    told.replaceChildren(...parts);
  }

  function show(number, edit) {
    for (const part of document.querySelectorAll('.current, .current-edit')) {
      part.classList.remove('current', 'current-edit');
    }
    current = number;
    currentEdit = edit;
    const passage = passages.get(number);
    for (const part of [passage.row, ...passage.a, ...passage.b, ...passage.bars]) {
      part.classList.add('current');
    }
    for (const side of ['a', 'b']) {
      const ofEdit = marksOf(side, number, edit);
      for (const mark of ofEdit) mark.classList.add('current-edit');
      bringIn(side, ofEdit.length ? ofEdit[0] : passage[side][0]);
    }
    tell(number, edit);
    writeAddress();
  }

  function step(by) {
    const numbers = shownNumbers();
    if (numbers.length === 0) return;
    const at = numbers.indexOf(current);
    show(numbers[at < 0 ? 0 : (at + by + numbers.length) % numbers.length], 0);
  }

  function stepEdit() {
    if (!current) return step(1);
    if (currentEdit < kindsOf(current).length) show(current, currentEdit + 1);
    else step(1);
  }

  // --- both texts together ---
  // Where a passage begins and ends on the screen.
  function extentOf(number, side) {
    const parts = passages.get(number)[side];
    if (parts.length === 0) return null;
    return { top: parts[0].getBoundingClientRect().top,
      bottom: parts[parts.length - 1].getBoundingClientRect().bottom };
  }

  // The number of the passage whose mark is nearest to a line of the screen; none: null. Only a few
  // marks are looked at, since the browser lays out what it is asked about.
  function passageAt(side, line) {
    const parts = shown[side];
    let first = 0, end = parts.length;  // the first one that ends below the line is among these
    while (first < end) {
      const middle = (first + end) >> 1;
      if (parts[middle].getBoundingClientRect().bottom > line) end = middle;
      else first = middle + 1;
    }
    const near = parts.slice(Math.max(0, first - 1), first + 1);
    const away = near.map(function (part) {
      const box = part.getBoundingClientRect();
      return Math.max(box.top - line, line - box.bottom, 0);
    });
    const nearest = near[away.length > 1 && away[1] <= away[0] ? 1 : 0];
    return nearest ? Number(nearest.dataset.p) : null;
  }

  // Brings the place of the other text to where this one is read: a third of the way down.
  function follow(side) {
    const pane = panes[side], other = side === 'a' ? 'b' : 'a';
    if (following === pane || !filters.elements.together.checked) return;
    const read = function (of) {
      const box = panes[of].getBoundingClientRect();
      return box.top + box.height / 3;
    };
    const line = read(side);
    const best = passageAt(side, line);
    const from = best && extentOf(best, side), to = best && extentOf(best, other);
    if (!from || !to) return;
    const share = Math.min(1, Math.max(0, (line - from.top) / Math.max(1, from.bottom - from.top)));
    const beyond = line - from.top - share * (from.bottom - from.top);
    scrollBy(panes[other], to.top + share * (to.bottom - to.top) + beyond - read(other));
  }

  for (const side of ['a', 'b']) {
    let waits = false;
    panes[side].addEventListener('scroll', function () {
      if (waits) return;
      waits = true;
      requestAnimationFrame(function () { waits = false; follow(side); });
    }, { passive: true });
  }

  // --- what people press ---
  document.addEventListener('click', function (event) {
    const part = event.target.closest('[data-p]');
    if (!part) return;
    event.preventDefault();
    const edit = part.dataset.e ? Number(part.dataset.e.split('.')[1]) : 0;
    show(Number(part.dataset.p), edit);
    if (part.closest('#list')) document.getElementById('texts').scrollIntoView();
  });
  document.addEventListener('pointerover', function (event) {
    const part = event.target.closest && event.target.closest('[data-e]');
    if (part) tell(...part.dataset.e.split('.').map(Number));
  });
  document.addEventListener('keydown', function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT/.test(event.target.tagName)) return;
    if (event.key === 'n') step(1);
    else if (event.key === 'p') step(-1);
    else if (event.key === 'e') stepEdit();
  });
  document.getElementById('next').addEventListener('click', function () { step(1); });
  document.getElementById('previous').addEventListener('click', function () { step(-1); });
  document.getElementById('next-edit').addEventListener('click', stepEdit);
  filters.addEventListener('change', function () { applyFilters(); writeAddress(); });
  filters.addEventListener('submit', function (event) { event.preventDefault(); });
  addEventListener('hashchange', readAddress);
  readAddress();
})();
