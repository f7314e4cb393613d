export const GET = () => Response.json({ from: 'next' });
