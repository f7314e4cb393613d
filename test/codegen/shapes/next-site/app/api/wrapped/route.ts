import { withAuth } from '@/auth';

// Only for members

export const DELETE = withAuth(async (request: Request) => {
  return new Response(null, { status: 204 });
});
