import { readReport, removeReport, replaceReport, writeReport } from './all';

export {
  readReport as GET,
  writeReport as POST,
  replaceReport as PUT,
  removeReport as DELETE,
};
