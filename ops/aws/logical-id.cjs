/** The name that Serverless gives the resource of a function, e.g. `GetStatementsLambdaFunction`. */
const logicalId = (name) => `${name[0].toUpperCase()}${name.slice(1)}LambdaFunction`;

module.exports = { logicalId };
