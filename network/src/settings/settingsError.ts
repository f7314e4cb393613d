export type SettingsErrorCode = 'setting_missing';

/** The ledger lacks a setting that every ledger of the supported protocols has. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code: SettingsErrorCode;

  constructor(code: SettingsErrorCode, setting: string) {
    super(`the ledger does not have the setting ${setting}`);
    this.code = code;
  }
}
