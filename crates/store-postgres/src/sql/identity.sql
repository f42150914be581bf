-- Which database this is; by primary key.
SELECT database_id FROM identity WHERE only_row
