// Everything is in the page without this script; it folds what is long away and switches language
// and theme. Nothing is stored and nothing is fetched.
(function () {
  'use strict';
  const root = document.documentElement;
  const words = document.getElementById('words').content;

  function cloneWords(name) {
    return words.getElementById('word-' + name).cloneNode(true);
  }

  // --- language and theme ---
  function setLanguage(language) {
    root.lang = language;
    document.title = language === 'en' ? root.dataset.titleEn : root.dataset.titleZh;
  }

  function isDark() {
    const chosen = root.dataset.theme;
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  }

  function showSwitch(id, onPress) {
    const button = document.getElementById(id);
    button.hidden = false;
    button.addEventListener('click', onPress);
  }

  setLanguage((navigator.language || 'en').toLowerCase().startsWith('zh') ? 'zh-CN' : 'en');
  showSwitch('language', function () { setLanguage(root.lang === 'en' ? 'zh-CN' : 'en'); });
  showSwitch('theme', function () { root.dataset.theme = isDark() ? 'light' : 'dark'; });

  // --- what is folded away until it is asked for ---
  function addFold(fold, index) {
    fold.id = fold.id || 'fold-' + index;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'unfold';
    button.setAttribute('aria-controls', fold.id);
    const label = cloneWords(fold.dataset.fold);
    label.removeAttribute('id');
    for (const each of label.children) {
      each.textContent = each.textContent.replace('#', fold.dataset.count || '');
    }
    const less = cloneWords('less');
    less.removeAttribute('id');
    button.append(label, less);
    function set(open) {
      fold.classList.toggle('folded-away', !open);
      button.setAttribute('aria-expanded', String(open));
      label.hidden = open;
      less.hidden = !open;
    }
    set(false);
    button.addEventListener('click', function () {
      set(button.getAttribute('aria-expanded') !== 'true');
    });
    fold.before(button);
  }
  document.querySelectorAll('.fold').forEach(addFold);

  // --- the command ---
  function selectAndCopy(element) {
    const range = document.createRange();
    range.selectNodeContents(element);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return document.execCommand('copy');
  }

  const command = document.getElementById('command');
  if (command) {
    const tell = function (done) {
      document.getElementById('copied').replaceChildren(cloneWords(done ? 'copied' : 'not-copied'));
    };
    showSwitch('copy', function () {
      if (!navigator.clipboard) return tell(selectAndCopy(command));
      navigator.clipboard.writeText(command.textContent).then(
        function () { tell(true); }, function () { tell(selectAndCopy(command)); });
    });
  }
})();
