module.exports = function (app) {
	if (process.env.ADMIN) {
		app.get("/admin/stats", function (req, res) {
			res.json({ visits: 0 })
		})
	}
}
