declare function report(error: unknown): void;

export async function GET() {
  try {
    throw new Error('This endpoint always fails');
  } catch (error) {
    report(error);
    throw error;
  }
}
