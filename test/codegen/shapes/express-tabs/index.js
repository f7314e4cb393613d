var express = require("express")
var app = express()

app.get("/a", function (req, res) {
	res.json({ a: 1 })
})

app.route("/b")
	.get(function (req, res) {
		res.send("b")
	})
	.post(function (req, res) {
		res.send("posted")
	})

app.listen(process.env.PORT || 3000)
