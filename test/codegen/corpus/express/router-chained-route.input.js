const { Router } = require('express');
const controller = require('./controller');

const router = Router();

router
  .route('/items/:id')
  .get(controller.show)
  .put(controller.update)
  .delete(controller.remove);

module.exports = router;
