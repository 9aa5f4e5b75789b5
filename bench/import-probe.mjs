const { builtinModules } = process.getBuiltinModule('module');

/*
 * One instance of a function: imports a bundle, answers requests, and prints what that took.
 * It imports nothing besides, and is plain JavaScript, so that any Node.js runs it in any state of the build.
 *
 * argv: the module, and as JSON the calls: [{"handler": "handler", "event": {…}}]
 */

const [, , module, calls] = process.argv;
const milliseconds = ({ user, system }) => (user + system) / 1000;
const megabytes = (bytes) => bytes / 1e6;

const known = new Set(process.moduleLoadList);
const beforeImport = process.cpuUsage();
const functions = await import(module);
const importCpu = milliseconds(process.cpuUsage(beforeImport));
const loaded = process.moduleLoadList.filter((name) => !known.has(name));
const importRss = megabytes(process.memoryUsage.rss());

const statuses = [];
let firstCpu = 0;
for (const { handler, event } of JSON.parse(calls)) {
  const before = process.cpuUsage();
  const { statusCode } = await functions[handler](event, {});
  if (statuses.length === 0) firstCpu = milliseconds(process.cpuUsage(before));
  statuses.push(statusCode);
}

const measured = {
  importCpu,
  importRss,
  builtins: builtinModules.filter((name) => loaded.includes(`NativeModule ${name}`)),
  firstCpu,
  statuses,
  rss: megabytes(process.memoryUsage.rss()),
  peakRss: (process.resourceUsage().maxRSS * 1024) / 1e6,
};
// A connection is open, which Lambda does not wait for either.
process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit());
