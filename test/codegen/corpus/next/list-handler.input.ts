async function handler(req: Request) {
  try {
    return await fetch(req);
  } catch (error) {
    console.error(error);
  }
}

export { handler as GET, handler as POST };
