// The page of a request: a form, and below it the outcome of the payment. All text is set as plain text.
(() => {
  const editor = acquireVsCodeApi();
  const byId = (id) => document.getElementById(id);
  let state = editor.getState() ?? {};
  const words = JSON.parse(document.querySelector('main').dataset.words);
  const say = (name, ...values) =>
    words[name].replace(/\{(\d+)\}/g, (whole, index) => values[index] ?? whole);

  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  }

  function keep(change) {
    state = { ...state, ...change };
    editor.setState(state);
  }

  // The form.

  const groups = ['pathParams', 'query', 'headers'];

  function row(group, { name, value }, index) {
    const made = element('div', undefined, { class: 'row' });
    const problem = element('p', '', { class: 'problem', id: `${group}.${index}-problem` });
    const input = element('input', undefined, {
      class: 'value',
      spellcheck: 'false',
      autocomplete: 'off',
      'aria-describedby': problem.id,
    });
    input.value = value;
    if (group === 'pathParams') {
      const label = element('label', name, { class: 'fixed', for: `${group}.${index}` });
      input.id = `${group}.${index}`;
      made.dataset.name = name;
      made.append(label, input, element('span'));
    } else {
      const key = element('input', undefined, {
        class: 'name',
        spellcheck: 'false',
        autocomplete: 'off',
        'aria-label': say(`${group}Name`, index + 1),
      });
      key.value = name;
      input.id = `${group}.${index}`;
      input.setAttribute('aria-label', say(`${group}Value`, index + 1));
      const remove = element('button', say('remove'), {
        type: 'button',
        class: 'secondary',
        'aria-label': say(`${group}Remove`, name || index + 1),
      });
      remove.addEventListener('click', () => {
        made.remove();
        changed();
        byId(group).querySelector('.add').focus();
      });
      made.append(key, input, remove);
    }
    made.append(problem);
    return made;
  }

  function showForm(form) {
    byId('method').value = form.method;
    byId('url').value = form.url;
    byId('body').value = form.body;
    byId('timeLimit').value = form.timeLimit ?? '';
    showLeftOut();
    for (const group of groups) {
      const rows = byId(group).querySelector('.rows');
      rows.replaceChildren(...form[group].map((pair, index) => row(group, pair, index)));
    }
    byId('pathParams').hidden = form.pathParams.length === 0;
    keep({ form });
  }

  function readForm() {
    const pairs = (group) =>
      [...byId(group).querySelectorAll('.row')].map((one) => ({
        name: one.dataset.name ?? one.querySelector('.name').value,
        value: one.querySelector('.value').value,
      }));
    return {
      method: byId('method').value,
      url: byId('url').value,
      pathParams: pairs('pathParams'),
      query: pairs('query'),
      headers: pairs('headers'),
      body: byId('body').value,
      timeLimit: byId('timeLimit').value,
    };
  }

  function showLeftOut() {
    const method = byId('method').value;
    const isLeftOut = (method === 'GET' || method === 'HEAD') && byId('body').value !== '';
    byId('body-left-out').textContent = isLeftOut ? say('bodyLeftOut', method) : '';
  }

  let typed = false;

  function changed() {
    typed = true;
    showLeftOut();
    const form = readForm();
    keep({ form });
    // The result is of another request.
    if (byId('cancel').hidden) byId('outdated').hidden = byId('outcome').hidden;
    editor.postMessage({ kind: 'changed', form });
  }

  function showProblems(problems) {
    for (const place of document.querySelectorAll('.problem')) place.textContent = '';
    for (const one of document.querySelectorAll('[aria-invalid]'))
      one.removeAttribute('aria-invalid');
    for (const { field, message } of problems) {
      const place = byId(`${field}-problem`);
      if (place) place.textContent = message;
      byId(field)?.setAttribute('aria-invalid', 'true');
    }
    if (problems.length > 0) byId(problems[0].field)?.focus();
  }

  // The outcome.

  function described(list, entries) {
    list.replaceChildren(
      ...entries.flatMap(({ label, value, link }) => {
        const data = element('dd', value);
        if (link) data.append(' ', linkTo(link));
        return [element('dt', label), data];
      }),
    );
  }

  function linkTo({ text, url }) {
    return url === undefined ? element('span', text) : element('a', text, { href: url });
  }

  const STATES = {
    skipped: 'skipped',
    waiting: 'waiting',
    running: 'running',
    done: 'done',
    failed: 'stepFailed',
  };

  // The response.

  /** An element that keys can scroll, and that a screen reader can name. */
  function scrollable(tag, text, attributes = {}) {
    const named = { tabindex: '0', role: 'group', 'aria-label': say('content') };
    return element(tag, text, { ...named, ...attributes });
  }

  /** What a line of formatted JSON opens, in words. */
  function nameOf(line) {
    const key = /^\s*"((?:[^"\\]|\\.)*)":/.exec(line)?.[1];
    const kind = line.endsWith('[') ? 'jsonList' : 'jsonObject';
    return key === undefined ? say(kind) : say('jsonMember', key, say(kind));
  }

  /** Lines of formatted JSON as a tree: what a line opens can be folded. */
  function foldable(lines) {
    const root = scrollable('div', undefined, { class: 'json' });
    const open = [root];
    for (const line of lines) {
      const inner = open[open.length - 1];
      if (/^\s*[}\]]/.test(line) && open.length > 1) {
        open.pop();
        open[open.length - 1].append(element('div', line));
      } else if (/[{[]$/.test(line)) {
        const part = element('details', undefined, { open: '' });
        part.append(element('summary', line, { 'aria-label': nameOf(line) }));
        inner.append(part);
        open.push(part);
      } else inner.append(element('div', line));
    }
    return root;
  }

  function bodyOf({ view, text, data }) {
    if (view === 'none') return [element('p', say('empty'))];
    if (view === 'image' && data)
      return [element('img', undefined, { src: data, alt: say('image') })];
    if (view === 'audio' && data) {
      return [element('audio', undefined, { src: data, controls: '', 'aria-label': say('sound') })];
    }
    if (view === 'json') {
      const lines = text.split('\n');
      if (lines.length <= mostFolded) return [foldable(lines)];
    }
    const source = scrollable('pre', text);
    if (view !== 'html') return text === '' ? [] : [source];
    const preview = element('details');
    // No permission at all: no script runs, no form is sent, nothing is loaded.
    const frame = element('iframe', undefined, { sandbox: '', title: say('previewFrame') });
    preview.append(element('summary', say('preview')));
    preview.addEventListener(
      'toggle',
      () => {
        frame.srcdoc = text;
        preview.append(frame);
      },
      { once: true },
    );
    return [source, preview];
  }

  const mostFolded = 5000;

  function showAnswer(answer) {
    const status = [answer.status, answer.statusText].join(' ').trim();
    const type = answer.type || say('untyped');
    byId('status').textContent = say('summary', status, answer.time, answer.size, type);
    byId('answer-notes').replaceChildren(...answer.notes.map((note) => element('li', note)));
    byId('body-view').replaceChildren(...bodyOf(answer));
    byId('openBody').hidden = !answer.isText;
    byId('saveBody').hidden = answer.bytes === 0;
    described(
      byId('answer-headers').querySelector('dl'),
      answer.headers.map(({ name, value }) => ({ label: name, value })),
    );
  }

  /** Adds text of a stream that is still open. */
  function showChunk(text) {
    byId('outcome').hidden = false;
    byId('answer').hidden = false;
    const known = byId('body-view').querySelector('pre.stream');
    const place = known ?? element('pre', '', { class: 'stream', tabindex: '0' });
    if (!known) {
      byId('status').textContent = say('receiving');
      byId('body-view').replaceChildren(place);
    }
    place.append(text);
  }

  function showOutcome(outcome) {
    const { running, headline, kind, terms, steps, answer, receipt, detail, offers } = outcome;
    byId('headline').textContent = headline;
    byId('headline').className = kind;
    byId('outcome').hidden = kind === 'none';
    byId('outdated').hidden = true;
    for (const id of ['send', 'start']) byId(id).disabled = running;
    byId('send').textContent = say(kind === 'none' || running ? 'send' : 'again');
    byId('cancel').hidden = !running;
    byId('detail').textContent = detail;
    byId('offers').replaceChildren(
      ...offers.map(({ label, command }) => {
        const button = element('button', label, { type: 'button', class: 'secondary' });
        button.addEventListener('click', () => editor.postMessage({ kind: 'offer', command }));
        return button;
      }),
    );
    byId('terms').hidden = terms === undefined;
    if (terms) {
      described(byId('terms').querySelector('dl'), [
        { label: say('price'), value: terms.price },
        { label: say('recipient'), value: terms.recipient },
        { label: say('network'), value: terms.network },
        // An earlier version kept terms without it.
        ...(terms.protocols ? [{ label: say('protocol'), value: terms.protocols }] : []),
        ...(terms.description ? [{ label: say('description'), value: terms.description }] : []),
      ]);
      byId('terms')
        .querySelector('ul')
        .replaceChildren(
          ...terms.checks.map(({ label, ok, found }) => {
            const item = element('li', undefined, { class: ok ? 'passed' : 'failed' });
            const mark = element('span', ok ? '✓' : '✗', { 'aria-hidden': 'true' });
            item.append(mark, ' ', ok ? say('passed', label) : say('failed', label, found));
            return item;
          }),
        );
    }
    byId('steps').hidden = steps.length === 0;
    byId('steps')
      .querySelector('ol')
      .replaceChildren(
        ...steps.map((step) => {
          const item = element('li', `${step.title} – `, { class: step.state });
          item.append(element('span', say(STATES[step.state]), { class: 'state' }));
          if (step.outcome) item.append(`: ${step.outcome} `);
          if (step.link) item.append(linkTo(step.link));
          return item;
        }),
      );
    byId('receipt').hidden = receipt.length === 0;
    described(byId('receipt').querySelector('dl'), receipt);
    byId('answer').hidden = answer === undefined;
    if (answer) showAnswer(answer);
    keep({ outcome });
  }

  // User actions.

  const send = () => editor.postMessage({ kind: 'send', form: readForm() });
  byId('request').addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
  byId('request').addEventListener('input', changed);
  byId('url').addEventListener('change', () =>
    editor.postMessage({ kind: 'urlChanged', form: readForm() }),
  );
  for (const group of ['query', 'headers']) {
    byId(group)
      .querySelector('.add')
      .addEventListener('click', () => {
        const rows = byId(group).querySelector('.rows');
        const made = row(group, { name: '', value: '' }, rows.children.length);
        rows.append(made);
        made.querySelector('input').focus();
      });
  }
  const actions = ['history', 'saveRequest', 'clearCookies', 'openBody', 'saveBody'];
  for (const id of ['start', 'cancel', 'curl', 'sdk', ...actions]) {
    byId(id).addEventListener('click', () => editor.postMessage({ kind: id, form: readForm() }));
  }
  document.addEventListener('keydown', (event) => {
    // In a browser, this key would reload the page; the editor debugs and tests instead.
    if (event.key === 'F5') event.preventDefault();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
    if (event.key === 'Escape' && !byId('cancel').hidden) editor.postMessage({ kind: 'cancel' });
  });
  window.addEventListener('message', ({ data }) => {
    // Keeps what the user typed before the first form arrived.
    if (data.kind === 'form' && !(data.first && typed)) {
      showProblems([]);
      showForm(data.form);
      if (data.focus) byId(data.focus)?.focus();
    }
    if (data.kind === 'outcome') showOutcome(data.outcome);
    if (data.kind === 'chunk') showChunk(data.text);
    if (data.kind === 'problems') showProblems(data.problems);
  });
  if (state.form) showForm(state.form);
  if (state.outcome) showOutcome(state.outcome);
  editor.postMessage({ kind: 'ready' });
})();
