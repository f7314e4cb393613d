export { type Report, type ReportItem, type ReportSection, readReport } from './report.ts';
export { messagePage, reportPage } from './reportPage.ts';
