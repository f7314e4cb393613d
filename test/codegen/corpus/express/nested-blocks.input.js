import express from 'express'

export function build ({ beta }) {
  const app = express()
  if (beta) {
    // New, and paid.
    app.get('/beta/:feature', async (req, res) => {
      const { verbose } = req.query
      res.json({ feature: req.params.feature, verbose })
    })
  }
  return app
}
