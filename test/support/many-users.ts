/** An app that has enrolled one user gets more of them. They have no templates: only their number counts. */
import type { Running, TestApp } from './service.ts';

export function addUsers(run: Running, app: TestApp, count: number): void {
  const first = run.rows('SELECT COUNT(*) AS n FROM users WHERE app_id = ?', app.id)[0].n;
  run.change(
    `INSERT INTO users (id, app_id, mode, email_hash, sealed, email_verified, created_at)
     WITH RECURSIVE numbers (i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM numbers WHERE i < ${first + count - 1})
     SELECT '${app.id}' || i, app_id, mode, CAST(i AS TEXT), sealed, 0, created_at
     FROM numbers, (SELECT * FROM users WHERE app_id = ? LIMIT 1) one`,
    app.id,
  );
}
