/**
 * Pages with the React package as it is published, in React's development build, which complains about everything. The page
 * comes from a server that has rendered the component, or is empty. The faces are made up.
 */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildPackage } from '../../src/sdk/build/build.ts';
import { PACKAGES } from '../../src/sdk/build/packages.ts';
import { MODULES, type PageServer, servePages } from './chromium.ts';

/** The page's ways into React and the packages; `window.lab` in the page. */
const SCRIPT = `
import * as React from 'react';
import * as ReactDom from 'react-dom/client';
import { flushSync } from 'react-dom';
import { FaceSignIn } from "@face-sign-in/react";
import { createClient } from "@face-sign-in/browser";
import { syntheticEncoder } from "@face-sign-in/browser/testing";
const heard = [];
const listeners = name => ({
  onSignIn: ({ user, method }) => heard.push(name + ': ' + user.email + ' by ' + method),
  onError: ({ code }) => heard.push(name + ': ' + code),
});
window.lab = { ...React, ...ReactDom, flushSync, FaceSignIn, createClient, syntheticEncoder, heard, listeners };`;

const PAGE = (
  content: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<link rel="icon" href="data:,"></head><body><div id="root">${content}</div><script src="/page.js"></script></body></html>`;

export interface ReactPages extends PageServer {
  /** What a server renders for the component with these props, for the page at /rendered. */
  render(props: Readonly<Record<string, unknown>>): Promise<void>;
}

export async function startReactPages(): Promise<ReactPages> {
  const folder = await mkdtemp(join(tmpdir(), 'react-pages-'));
  const place = (name: string) => join(folder, 'node_modules', name);
  for (const of of PACKAGES.filter(({ platform }) => platform === 'browser')) {
    const { folder: built } = await buildPackage(of, join(folder, 'dist'));
    await mkdir(dirname(place(of.name)), { recursive: true });
    await symlink(built, place(of.name));
  }
  for (const name of ['react', 'react-dom', 'scheduler']) await symlink(join(MODULES, name), place(name));
  const made = await build({
    stdin: { contents: SCRIPT, resolveDir: folder },
    bundle: true,
    format: 'iife',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"development"' },
    nodePaths: [join(folder, 'node_modules')],
    write: false,
    logLevel: 'silent',
  });
  const script = made.outputFiles[0]?.contents ?? '';
  let rendered = '';
  const pages = await servePages(path => {
    if (path === '/page.js') return script;
    return path === '/' ? PAGE('') : path === '/rendered' ? PAGE(rendered) : null;
  });
  const require = createRequire(join(folder, 'server.js'));
  return {
    ...pages,
    render: async props => {
      const { createElement } = require('react');
      const { renderToString } = require('react-dom/server');
      const { FaceSignIn } = await import(pathToFileURL(place('@face-sign-in/react/index.js')).href);
      rendered = renderToString(createElement(FaceSignIn, props));
    },
    close: async () => {
      await pages.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
