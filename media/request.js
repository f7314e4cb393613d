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
    };
  }

  let typed = false;

  function changed() {
    typed = true;
    const form = readForm();
    keep({ form });
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

  const STATES = { waiting: 'waiting', running: 'running', done: 'done', failed: 'stepFailed' };

  function showOutcome(outcome) {
    const { running, headline, kind, terms, steps, answer, receipt, detail, offers } = outcome;
    byId('headline').textContent = headline;
    byId('headline').className = kind;
    byId('outcome').hidden = kind === 'none';
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
        ...(terms.description ? [{ label: say('description'), value: terms.description }] : []),
      ]);
      byId('terms')
        .querySelector('ul')
        .replaceChildren(
          ...terms.checks.map(({ label, ok, found }) =>
            element('li', ok ? `✓ ${say('passed', label)}` : `✗ ${say('failed', label, found)}`, {
              class: ok ? 'passed' : 'failed',
            }),
          ),
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
    if (answer) {
      byId('status').textContent = say('status', answer.status);
      byId('answer').querySelector('pre').textContent = answer.body;
    }
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
  for (const id of ['start', 'cancel', 'curl', 'sdk']) {
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
    if (data.kind === 'problems') showProblems(data.problems);
  });
  if (state.form) showForm(state.form);
  if (state.outcome) showOutcome(state.outcome);
  editor.postMessage({ kind: 'ready' });
})();
