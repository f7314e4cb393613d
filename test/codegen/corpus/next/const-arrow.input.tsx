import { NextResponse } from "next/server"
import type { NextRequest } from "next/server"

// Draws a card.
export const GET = async (req: NextRequest) => {
  const { searchParams } = new URL(req.url)
  const title = searchParams.get("title")
  if (!title) {
    return NextResponse.json({ error: "title is missing" }, { status: 400 })
  }
  return NextResponse.json({ title, width: 1200 })
}
