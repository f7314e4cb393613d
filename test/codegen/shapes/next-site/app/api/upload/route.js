const limit = 1024

export async function PUT(request) {

	const text = await request.text()

	if (text.length > limit) return new Response(null, { status: 413 })
	return Response.json({ length: text.length })

}
