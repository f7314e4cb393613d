// No two folders need each other. Tests may reach further than what they test, and stay out of it.

const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    {
      name: 'no-cycles-of-folders',
      comment: 'What two folders share belongs in the one that needs nothing of the other.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: '\\.test\\.ts$|^(test|bench|network/(test|bench))/' } },
};
