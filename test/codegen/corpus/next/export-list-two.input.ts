const handler = async () => Response.json({ ok: true });

export { handler as GET, handler as POST };
