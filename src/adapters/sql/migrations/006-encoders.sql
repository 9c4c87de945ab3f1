-- Which encoder made the templates of a gallery, as the first enrolment that named one said; null: none has.

ALTER TABLE galleries ADD COLUMN encoder TEXT;
