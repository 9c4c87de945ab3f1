/** The engines of the search bench, in the order of its tables. */
import type { Maker } from '../engines.ts';
import { plainJavaScript } from './js.ts';
import { native } from './native.ts';
import { python } from './python.ts';
import { sqliteVec } from './sqlite-vec.ts';
import { usearch } from './usearch.ts';
import { wasm } from './wasm.ts';

export const MAKERS: readonly Maker[] = [wasm, plainJavaScript, usearch, sqliteVec, python, native];

export const ENGINES: readonly string[] = MAKERS.flatMap(({ names }) => names);
