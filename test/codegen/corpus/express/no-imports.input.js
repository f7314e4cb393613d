'use strict';

// Handed an app by the server.
exports.register = function register(app) {
    app.delete('/cache/:key', function (req, res) {
        res.json({ removed: req.params.key });
    });
};
