/*
 * What each function over a database loads when it starts. The build makes one file of it, whatever else is made of the same
 * sources (`coreFirst`), because the number of files counts in a cold start.
 */

import '../../lib/function-lrs.ts';
import '../xapi/statements.ts';
import './group.ts';
