import {
  type Command,
  type Event,
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
} from 'vscode';

import { spokenLabel } from './spoken.ts';

/** One line of a list. */
export interface Row {
  /** Stays the same while the row describes the same thing, so the selection survives a refresh. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: string;
  readonly icon?: string;
  readonly colour?: 'none' | 'amber' | 'red' | 'green';
  readonly command?: Command;
  /** For the `when` clauses of menus. */
  readonly contextValue?: string;
  readonly spoken?: string;
  /** For rows that only run a command: a screen reader announces a button. */
  readonly role?: 'button';
  readonly children?: readonly Row[];
  /** The argument of commands in menus. */
  readonly value?: unknown;
}

const COLOURS = {
  none: undefined,
  amber: 'list.warningForeground',
  red: 'list.errorForeground',
  green: 'testing.iconPassed',
} as const;

/** A list whose rows are set by its owner. */
export class RowList implements TreeDataProvider<Row> {
  readonly #changed = new EventEmitter<void>();
  readonly onDidChangeTreeData: Event<void> = this.#changed.event;
  #rows: readonly Row[] = [];

  set(rows: readonly Row[]): void {
    this.#rows = rows;
    this.#changed.fire();
  }

  getChildren(row?: Row): Row[] {
    return [...(row === undefined ? this.#rows : (row.children ?? []))];
  }

  getTreeItem(row: Row): TreeItem {
    const item = new TreeItem(
      row.label,
      row.children === undefined
        ? TreeItemCollapsibleState.None
        : TreeItemCollapsibleState.Collapsed,
    );
    item.id = row.id;
    if (row.description !== undefined) item.description = row.description;
    if (row.tooltip !== undefined) item.tooltip = row.tooltip;
    if (row.command !== undefined) item.command = row.command;
    if (row.contextValue !== undefined) item.contextValue = row.contextValue;
    if (row.icon !== undefined) {
      const colour = COLOURS[row.colour ?? 'none'];
      item.iconPath = new ThemeIcon(row.icon, colour ? new ThemeColor(colour) : undefined);
    }
    item.accessibilityInformation = {
      label: spokenLabel(row),
      ...(row.role === undefined ? {} : { role: row.role }),
    };
    return item;
  }
}

/** A row that runs a command. @param command with its prefix; also the row's identity */
export function actionRow(label: string, command: string, args: readonly unknown[] = []): Row {
  return {
    ...{ id: command, label, icon: 'lightbulb', role: 'button' },
    command: { command, title: label, arguments: [...args] },
  };
}
