import { NextResponse } from "next/server"
import type { NextRequest } from "next/server"
import { HTTPFacilitatorClient } from "@x402/core/server"
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
} from "@x402/extensions/bazaar"
import { withX402, x402ResourceServer } from "@x402/next"
import { ExactStellarScheme } from "@x402/stellar/exact/server"

// Draws a card.
const GET_impl = async (req: NextRequest) => {
  const { searchParams } = new URL(req.url)
  const title = searchParams.get("title")
  if (!title) {
    return NextResponse.json({ error: "title is missing" }, { status: 400 })
  }
  return NextResponse.json({ title, width: 1200 })
}

// svc-x402: payments
const PAYMENT_CONFIG = {
  // The account that is paid. To be paid elsewhere, change it here.
  payToAddress: "GDVEU3DD4KOFECV66VIHWEZOYX4ZKR3WV27L464SIIPOU2IUI3JCZA57",
}
const facilitatorClient = new HTTPFacilitatorClient({
  url: process.env.FACILITATOR_URL ?? "http://127.0.0.1:4021",
})
const paymentServer = new x402ResourceServer(facilitatorClient)
  .register("stellar:testnet", new ExactStellarScheme())
  .registerExtension(bazaarResourceServerExtension)

export const GET = withX402<unknown>(
  GET_impl,
  {
    accepts: {
      scheme: "exact",
      price: "$0.01",
      network: "stellar:testnet",
      payTo: PAYMENT_CONFIG.payToAddress,
      maxTimeoutSeconds: 60,
    },
    description: "Draws a card.",
    mimeType: "application/json",
    serviceName: "demo-api",
    tags: ["const-arrow"],
    extensions: declareDiscoveryExtension({
      // TODO: real values
      input: { title: "title" },
      inputSchema: {
        properties: {
          title: { type: "string" },
        },
      },
      // TODO: real values for what is known at run time only
      output: { example: { title: "title", width: 1200 } },
    }),
  },
  paymentServer,
)
// HEAD asks for no payment, so it is answered without the handler.
export const HEAD = () => new Response(null, { status: 200 })
// svc-x402: end of payments
