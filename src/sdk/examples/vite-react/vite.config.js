import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/session': `http://localhost:${process.env.PORT ?? 3000}` } }, // for npm run dev
});
