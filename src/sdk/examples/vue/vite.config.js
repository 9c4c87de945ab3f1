import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const isCustomElement = tag => tag === 'face-sign-in';

export default defineConfig({
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } })],
  server: { proxy: { '/session': `http://localhost:${process.env.PORT ?? 3000}` } }, // for npm run dev
});
