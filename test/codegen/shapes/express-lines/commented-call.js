import express from 'express';
const app = express();
app./* the best */get(/* where */ '/commented' /* there */, /* what */ (req, res) => {
  res.json({ /* nothing */ });
});
app // an app
  .put(
    // a path
    '/put',
    (req, res) => res.end(),
  ); // done
export default app;
