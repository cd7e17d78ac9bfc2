// Looks at a page as people meet it: can it be read, heard, and walked through by keyboard? Runs outside
// of the page, on a frame that holds it, and says what it found in one line of JSON.
'use strict';

const complaints = [];
function expect(holds, what) {
  if (!holds) complaints.push(what);
}

function channel(value) {
  const c = value / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}
function luminance([r, g, b]) {
  return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
}
function colour(text) {
  const parts = (text.match(/[\d.]+/g) || []).map(Number);
  return parts.length === 4 && parts[3] === 0 ? null : parts.slice(0, 3);
}
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function ground(element, style) {
  for (let e = element; e; e = e.parentElement) {
    const found = colour(style(e).backgroundColor);
    if (found) return found;
  }
  return [255, 255, 255];
}

/// Every text is at least 4.5 times lighter or darker than what it stands on, 3 times when it is large.
function auditContrast(page, style) {
  let looked = 0;
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest('style')) continue;
    const s = style(element), size = parseFloat(s.fontSize);
    const ink = colour(element.closest('svg') ? s.fill : s.color);
    const large = size >= 24 || (size >= 18.66 && Number(s.fontWeight) >= 700);
    const ratio = contrast(ink, ground(element, style));
    expect(ratio >= (large ? 3 : 4.5),
           `contrast ${ratio.toFixed(2)} of "${walker.currentNode.data.trim().slice(0, 30)}"`);
    ++looked;
  }
  return looked;
}

function auditNames(page) {
  expect(/^[a-z]{2}$/.test(page.documentElement.lang), 'no language');
  expect(page.title.length > 3, 'no title');
  for (const landmark of ['header', 'nav', 'main', 'footer']) {
    expect(page.querySelectorAll(landmark).length === 1, `not one ${landmark}`);
  }
  let level = 0;
  for (const heading of page.querySelectorAll('h1, h2, h3, h4')) {
    const next = Number(heading.tagName[1]);
    expect(next <= level + 1, `heading ${heading.textContent} skips a level`);
    expect(heading.textContent.trim(), 'an empty heading');
    level = next;
  }
  for (const table of page.querySelectorAll('table')) {
    expect(table.caption && table.caption.textContent.trim(), 'a table without a caption');
    expect([...table.querySelectorAll('th')].every((th) => th.scope), 'a header cell without a scope');
    const width = table.tHead.rows[0].cells.length;
    expect([...table.tBodies[0].rows].every((row) => row.cells.length === width), 'a ragged table');
  }
  for (const picture of page.querySelectorAll('svg, img')) {
    // What is hidden from whoever listens is told by the words that stand right behind it.
    const beside = picture.getAttribute('aria-hidden') ? picture.nextElementSibling : null;
    const words = picture.getAttribute('aria-label') || picture.getAttribute('alt') ||
        (beside ? beside.textContent : '');
    expect(words.trim().length > 5, 'a picture without words');
  }
  for (const section of page.querySelectorAll('section')) {
    const name = page.getElementById(section.getAttribute('aria-labelledby'));
    expect(name && name.textContent.trim(), 'a section without a name');
  }
}

/// What the tab key reaches stands in the order of the text, shows that it is reached, and is large
/// enough for a finger.
function auditKeyboard(page, style) {
  const reached = [...page.querySelectorAll('a[href], summary, button, [tabindex]')];
  for (const element of reached) {
    expect(element.tabIndex === 0, 'the tab order is not the order of the text');
    element.focus();
    expect(page.activeElement === element, 'cannot be focused');
    expect(style(element).outlineStyle !== 'none', 'focus is not seen');
    element.blur();
    const box = element.getBoundingClientRect();
    expect(element.matches('.skip') || box.height >= 24, `${element.textContent} is too small`);
    if (element.hash) expect(page.getElementById(element.hash.slice(1)), `${element.hash} is not there`);
  }
  return reached.length;
}

function audit(frame) {
  const page = frame.contentDocument, view = frame.contentWindow;
  const style = (element) => view.getComputedStyle(element);
  complaints.length = 0;
  for (const folded of page.querySelectorAll('details')) folded.open = true;
  const texts = auditContrast(page, style);
  auditNames(page);
  const stops = auditKeyboard(page, style);
  expect(page.documentElement.scrollWidth <= view.innerWidth, 'the page is wider than the screen');
  for (const table of page.querySelectorAll('.scroll')) {
    expect(table.scrollWidth <= table.clientWidth,
           `"${table.textContent.trim().slice(0, 30)}" is cut at the right`);
  }
  for (const text of page.querySelectorAll('svg text')) {
    const box = text.getBoundingClientRect(), around = text.closest('svg').getBoundingClientRect();
    expect(box.left >= around.left - 1 && box.right <= around.right + 1,
           `"${text.textContent}" leaves its drawing`);
  }
  return {complaints: [...complaints], texts, stops, width: view.innerWidth,
          dark: view.matchMedia('(prefers-color-scheme: dark)').matches,
          rows: page.querySelectorAll('tbody tr').length,
          pictures: page.querySelectorAll('svg, img').length,
          figures: [...page.querySelectorAll('header dd')].map((dd) => dd.textContent)};
}
