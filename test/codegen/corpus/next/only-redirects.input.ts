function redirect(path: string): never {
  throw new Error(`NEXT_REDIRECT ${path}`);
}

export async function GET() {
  redirect('/reports/latest');
}
