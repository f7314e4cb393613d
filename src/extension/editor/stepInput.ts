import {
  type Disposable,
  InputBoxValidationSeverity,
  type QuickInputButton,
  QuickInputButtons,
  type QuickPickItem,
  ThemeIcon,
  window,
} from 'vscode';
import { t } from '../words/index.ts';

/** One step of a form, with a back button. */
export interface Step {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  /** Shown before anything is typed; `undefined`: nothing. */
  readonly problem: string | undefined;
  /** `false`: there is no step before this one. */
  readonly back?: boolean;
}

const backButton = ({ back }: Step): readonly QuickInputButton[] =>
  back === false ? [] : [QuickInputButtons.Back];

/** The members shared by all boxes of a form. */
interface Box extends Disposable {
  title: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  ignoreFocusOut: boolean;
  show(): void;
  onDidHide(listener: () => void): Disposable;
}

/** Shows a box until the user answers, goes back, or cancels. */
function shown<T>(
  box: Box,
  { title, step, totalSteps }: Step,
  listen: (finish: (answer: T | 'back' | undefined) => void) => void,
): Promise<T | 'back' | undefined> {
  Object.assign(box, { title, step, totalSteps, ignoreFocusOut: true });
  return new Promise((resolve) => {
    const finish = (answer: T | 'back' | undefined) => {
      resolve(answer);
      box.dispose();
    };
    box.onDidHide(() => finish(undefined));
    listen(finish);
    box.show();
  });
}

/** Options of a text question. */
export interface TextStep extends Step {
  readonly prompt: string;
  readonly value: string;
  /** A warning about the answer; Enter still accepts it. */
  readonly warning?: string | undefined;
  /** Whether a button previews what the answer will change. */
  readonly preview?: boolean;
}

export interface TextAnswer {
  readonly text: string;
  /** The user wants to see the change first. */
  readonly preview: boolean;
}

/**
 * Asks for a text and validates it during typing.
 * @param confirm returns what to say about an answer that has to be accepted twice
 * @returns `undefined` when the user cancelled
 */
export function askText(
  step: TextStep,
  judge: (text: string) => string | undefined,
  confirm: (text: string) => string | undefined = () => undefined,
): Promise<TextAnswer | 'back' | undefined> {
  const box = window.createInputBox();
  const { prompt, value, warning, preview } = step;
  const shows = { iconPath: new ThemeIcon('diff'), tooltip: t('Preview the change first') };
  const advice = warning && {
    message: warning,
    severity: InputBoxValidationSeverity.Warning,
  };
  Object.assign(box, { prompt, value, validationMessage: step.problem ?? advice });
  box.buttons = [...backButton(step), ...(preview ? [shows] : [])];
  let confirmed: string | undefined;
  return shown(box, step, (finish) => {
    const accept = (wantsPreview: boolean) => {
      const problem = judge(box.value);
      const unusual = problem === undefined ? confirm(box.value) : undefined;
      if (unusual !== undefined && confirmed !== box.value) {
        confirmed = box.value;
        box.validationMessage = { message: unusual, severity: InputBoxValidationSeverity.Warning };
        return;
      }
      box.validationMessage = problem ?? advice;
      if (problem === undefined) finish({ text: box.value, preview: wantsPreview });
    };
    box.onDidChangeValue((text) => {
      box.validationMessage = judge(text) ?? advice;
    });
    box.onDidAccept(() => accept(false));
    box.onDidTriggerButton((button) => {
      if (button === shows) accept(true);
      else finish('back');
    });
  });
}

/** An item of a table that was created before translations were loaded. */
function translated<T extends QuickPickItem>(item: T): T {
  const { label, description, detail } = item;
  return {
    ...item,
    label: t(label),
    ...(description === undefined ? {} : { description: t(description) }),
    ...(detail === undefined ? {} : { detail: t(detail) }),
  };
}

/**
 * Lets the user pick one or more.
 * @param picked initial selection
 * @returns `undefined` when the user cancelled
 */
export function askSome<T extends QuickPickItem>(
  step: Step & { readonly placeHolder: string },
  items: readonly T[],
  picked: readonly T[],
): Promise<readonly T[] | 'back' | undefined> {
  const pick = window.createQuickPick<T>();
  pick.canSelectMany = true;
  const shownItems = items.map(translated);
  pick.items = shownItems;
  pick.selectedItems = shownItems.filter((_item, index) =>
    picked.some((one) => one === items[index]),
  );
  pick.placeholder = step.problem ?? step.placeHolder;
  pick.buttons = backButton(step);
  return shown(pick, step, (finish) => {
    pick.onDidAccept(() => {
      if (pick.selectedItems.length > 0) finish(pick.selectedItems);
      else pick.placeholder = t('Select at least one. {0}', step.placeHolder);
    });
    pick.onDidTriggerButton(() => finish('back'));
  });
}

/**
 * Lets the user pick one.
 * @param picked value of the item selected initially
 * @returns `undefined` when the user cancelled
 */
export function askOne<T extends QuickPickItem & { readonly value: string }>(
  step: Step & { readonly placeHolder: string },
  items: readonly T[],
  picked: string,
): Promise<{ readonly text: string } | 'back' | undefined> {
  const pick = window.createQuickPick<T>();
  pick.items = items.map(translated);
  pick.activeItems = pick.items.filter(({ value }) => value === picked);
  pick.placeholder = step.problem ?? step.placeHolder;
  pick.buttons = backButton(step);
  return shown(pick, step, (finish) => {
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item !== undefined) finish({ text: item.value });
    });
    pick.onDidTriggerButton(() => finish('back'));
  });
}

/**
 * Lets the user pick one of several items that are still being read.
 * @returns `undefined` if the user cancelled, without waiting for the items
 * @throws the error of reading them, if the list is still open
 */
export function pickLater<T extends QuickPickItem>(
  {
    title,
    placeHolder,
    reading,
  }: { readonly title: string; readonly placeHolder: string; readonly reading: string },
  read: () => Promise<readonly T[]>,
): Promise<T | undefined> {
  const pick = window.createQuickPick<T>();
  Object.assign(pick, { title, placeholder: reading, busy: true, ignoreFocusOut: true });
  return new Promise((resolve, reject) => {
    let open = true;
    pick.onDidHide(() => {
      open = false;
      resolve(undefined);
      pick.dispose();
    });
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item === undefined) return;
      resolve(item);
      pick.hide();
    });
    pick.show();
    read().then(
      (items) => {
        if (open) Object.assign(pick, { items, placeholder: placeHolder, busy: false });
      },
      (error: unknown) => {
        reject(error);
        if (open) pick.hide();
      },
    );
  });
}
