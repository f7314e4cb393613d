import { redirect } from 'next/navigation';

export async function GET(_request: Request, { params }: { params: Promise<{ to: string }> }) {
  redirect(`/${(await params).to}`);
}
