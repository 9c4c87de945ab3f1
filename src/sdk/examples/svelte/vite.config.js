import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  server: { proxy: { '/session': `http://localhost:${process.env.PORT ?? 3000}` } }, // for npm run dev
});
